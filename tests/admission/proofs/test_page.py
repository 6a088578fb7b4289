"""What the page on contracts says of reading them is what is done."""

from __future__ import annotations

import re

from admission.edge import Reason as Decided
from admission.proofs.credentials import MOST_PROOF, MOST_TOKEN
from admission.proofs.dpop import WINDOW
from admission.proofs.exceptions import Reason
from admission.proofs.identities import LONGEST_ASSERTION, LONGEST_IDENTITY
from admission.proofs.tokens import LIFETIMES
from tests.admission.proofs.made import VECTORS
from throttling.work import Access

PAGE = (VECTORS.parents[2] / "docs" / "uitleg" / "contracten.md").read_text(encoding="utf-8")


def test_every_reason_stands_on_the_page_and_no_other() -> None:
    first_cells = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|", PAGE, re.MULTILINE)
    told = [name for cell in first_cells for name in re.findall(r"`([a-z-]+)`", cell)]
    assert sorted(told) == sorted({reason.value for reason in (*Reason, *Decided)})


def test_the_figures_on_the_page_are_those_that_are_held() -> None:
    assert f"geldt {LIFETIMES[Access.READ] // 60} minuten" in PAGE
    assert f"om iets te veranderen {LIFETIMES[Access.WRITE] // 60}." in PAGE
    assert MOST_TOKEN == MOST_PROOF
    assert f"hooguit {MOST_TOKEN // 1024} kB" in PAGE
    assert (WINDOW, LONGEST_IDENTITY) == (60, 3_600)
    assert "hooguit een minuut eerder of later" in PAGE
    assert "hooguit een uur geldig" in PAGE
    assert f"hooguit {LONGEST_ASSERTION // 60} minuten geldig" in PAGE
