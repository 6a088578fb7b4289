"""The two versions of the OData service as settings: where each is, and what its fields are called (platform page, section 1).

v5 answers since June 2026 and v4/2.0 may still. The list of renames was never found whole: what is not named here is read under
the name that v4 has, and no call names a field that it does not need (an unknown name would be refused with 400).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of the service. ``path`` is below the service's address; ``most_rows`` what one answer may hold.

    ``setting`` is what an operator calls it; ``is_old`` says that it was replaced and may stop, and ``ends`` when, as was said.
    """

    name: str
    setting: str
    path: str
    document_number: str
    document_subnumber: str
    lead_committee: str
    most_rows: int
    is_old: bool = False
    ends: date | None = None


V5: Final = Version(
    name="v5",
    setting="v5",
    path="/OData/v5",
    document_number="Nummer",
    document_subnumber="Ondernummer",
    lead_committee="VoortouwCommissieNaam",
    most_rows=100,
)
V4: Final = Version(
    name="v4/2.0",
    setting="v4",
    is_old=True,
    ends=date(2026, 10, 1),  # announced for 1 August, put off on request (field report 35)
    path="/OData/v4/2.0",
    document_number="DocumentNummer",
    document_subnumber="Volgnummer",
    lead_committee="Voortouwnaam",
    most_rows=250,
)
VERSIONS: Final = (V5, V4)
