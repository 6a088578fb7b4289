"""``meld_fout``: tell the operator of a fault in a paper or a source."""

from __future__ import annotations

from typing import Final

from assistants.arguments import BadArgumentsError
from assistants.printing.quoting import written
from assistants.printing.schemas import KEYS, MOMENT, TEXT, arguments, closed
from assistants.tool import Arguments, Hints, Outcome, Tool, ToolFailedError, Visit
from search.faults import LONGEST, LONGEST_ID, OPERATION, FaultKind, FaultyReportError, read_fault
from search.kept import KeptUnreadableError
from search.serialise import utc

_TOOL: Final = "meld_fout"
_DESCRIPTION: Final = (
    "Meldt de beheerder een fout in een stuk (`document`) of een bron (`platform`). Verandert iets: kan alleen onder een "
    "contract met `meld-fout` (zie /.well-known/admission-contract). Bewaard worden uw melding, het stuk of de bron, en het "
    "contract: zet er geen gegevens van mensen in, en geen zoekvraag die niet nodig is."
)
_NOT_KEPT: Final = ToolFailedError(
    "De melding kon nu niet worden bewaard.",
    "De beheerder weet er niet van.",
    "Probeer het over een minuut opnieuw.",
    60,
)


async def report_fault(given: Arguments, visit: Visit) -> Outcome:
    """Report a fault. Raises ``ToolFailedError``."""
    assert visit.admitted is not None, "the server lets nobody in without"
    if visit.faults is None:
        raise _NOT_KEPT
    try:
        fault = read_fault(
            kind=given["soort"],
            document=given.get("document", ""),
            platform=given.get("platform", ""),
            text=given["melding"],
            contract=visit.admitted.contract,
            workload=visit.admitted.workload,
        )
        kept = await visit.faults.keep(fault)
    except FaultyReportError as error:
        raise BadArgumentsError(_TOOL, [f"`{error.name}`: {error.reason}"]) from None
    except KeptUnreadableError:
        raise _NOT_KEPT from None
    data = {"nummer": kept.number, "gemeldOp": utc(kept.at), "bewaardTot": utc(kept.until)}
    text = f"Gemeld, onder nummer {kept.number}. De beheerder ziet het; antwoord komt er niet."
    return Outcome(data=data, text=written([text], with_legend=False))


REPORT_FAULT: Final = Tool(
    name=_TOOL,
    title="Een fout melden",
    description=_DESCRIPTION,
    input_schema=arguments(
        {
            "soort": {"type": "string", "enum": [one.value for one in FaultKind]},
            "melding": {"type": "string", "minLength": 1, "maxLength": LONGEST},
            "document": {"type": "string", "maxLength": LONGEST_ID, "description": "id uit `zoek`"},
            "platform": {"type": "string", "enum": KEYS, "description": "als het niet over één stuk gaat"},
        },
        "soort",
        "melding",
    ),
    output_schema=closed({"nummer": TEXT, "gemeldOp": MOMENT, "bewaardTot": MOMENT}),
    run=report_fault,
    operation=OPERATION,
    hints=Hints(read_only=False, idempotent=False, open_world=False),
)
