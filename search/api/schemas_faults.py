"""The form of a reported fault in the API."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from search.api.schemas import Form


class Foutmelding(Form):
    """Dat een fout is gemeld."""

    nummer: str = Field(description="Waarmee de beheerder haar kent.")
    gemeldOp: datetime
    bewaardTot: datetime
