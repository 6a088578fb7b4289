"""The mark before an item of a list: a dash, or its number in the list's own way of counting."""

from __future__ import annotations

from typing import Final

_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd")),
    *((100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LARGEST_ROMAN: Final = 3999
_LETTERS: Final = 26


def item_mark(numeration: str, number: int) -> str:
    """The mark of the item ``number`` (from 1). Without a ``numeration``, or an unknown one, it is a dash."""
    match numeration:
        case "arabic":
            return f"{number}."
        case "loweralpha":
            return f"{_letters(number)}."
        case "upperalpha":
            return f"{_letters(number).upper()}."
        case "lowerroman":
            return f"{_roman(number)}."
        case "upperroman":
            return f"{_roman(number).upper()}."
        case _:
            return "-"


def _letters(number: int) -> str:
    letters = ""
    while number > 0:
        number, letter = divmod(number - 1, _LETTERS)
        letters = chr(ord("a") + letter) + letters
    return letters


def _roman(number: int) -> str:
    """Roman, and Arabic where Roman has no more signs."""
    if number > _LARGEST_ROMAN:
        return str(number)
    roman = ""
    for value, sign in _ROMAN:
        roman += sign * (number // value)
        number %= value
    return roman
