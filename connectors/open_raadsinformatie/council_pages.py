"""The page of a meeting in the council's own system, where its address can be told from the record (platform page, section 7).

The record holds the supplier's number of the meeting; at iBabs also the name of the site. The hosts of Notubiz follow from the
alias, but for those that are listed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from connectors.json_values import mapping
from connectors.open_raadsinformatie.values import first_line, several

_SAME_AS = re.compile(
    r"https://openbesluitvorming\.nl/voc/mapping/[a-z0-9_-]{1,100}/(notubiz|ibabs)/meeting/([0-9a-f-]{1,40})", re.ASCII
)
_SITE = re.compile(r"\bSitename=([A-Za-z0-9_-]{1,60})", re.ASCII)
_SLUG = re.compile(r"[a-z0-9-]{1,100}", re.ASCII)
_DOMAINS: Mapping[str, str] = MappingProxyType(
    {"ori": "raadsinformatie.nl", "osi": "stateninformatie.nl", "owi": "waterschapsinformatie.nl"}
)
_HOSTS: Mapping[str, str] = MappingProxyType(
    {
        "ori_den_bosch": "s-hertogenbosch",
        "ori_hoeksche_waard": "hoekschewaard",
        "osi_zuid_holland": "pzh",
        "owi_waterschap_amstel_gooi_en_vecht": "agv",
    }
)


def meeting_page(alias: str, record: dict[str, Any]) -> str | None:
    """The address of a meeting's page, or None when the record does not tell it."""
    origin = mapping(record.get("was_generated_by"))
    found = _SAME_AS.fullmatch(first_line(origin.get("same_as")))
    if found is None:
        return None
    supplier, native = found[1], found[2]
    if supplier == "ibabs":
        used = (unquote(text) for text in several(origin.get("used")) if isinstance(text, str))
        site = next((match[1].lower() for text in used if (match := _SITE.search(text))), None)
        return f"https://{site}.bestuurlijkeinformatie.nl/Agenda/Index/{native}" if site else None
    prefix, _, slug = alias.partition("_")
    host = _HOSTS.get(alias, slug.replace("_", "-"))
    if not native.isdigit() or not _SLUG.fullmatch(host):
        return None
    return f"https://{host}.{_DOMAINS[prefix]}/vergadering/{native}"
