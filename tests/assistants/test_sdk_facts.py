"""What is written down here so that a look at a request need not load the SDK is what the SDK has."""

from __future__ import annotations

from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION

from assistants import messages, revisions


def test_codes_and_statuses_of_errors_are_those_of_the_sdk() -> None:
    assert (messages.INVALID_REQUEST, messages.PARSE_ERROR) == (INVALID_REQUEST, PARSE_ERROR)
    ours = {code: messages.BadMessageError(code, "").status for code in ERROR_CODE_HTTP_STATUS}
    assert ours == ERROR_CODE_HTTP_STATUS


def test_the_revisions_are_those_of_the_sdk_but_for_the_one_that_is_not_spoken() -> None:
    assert ("2024-11-05", *revisions.OLDER) == HANDSHAKE_PROTOCOL_VERSIONS
    assert revisions.MODERN == LATEST_MODERN_VERSION
