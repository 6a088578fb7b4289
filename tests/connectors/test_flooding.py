"""What a flood asks: the first call of an ordinary search, which is only built."""

from __future__ import annotations

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.connector import Connector
from connectors.flooding import first_call
from connectors.registry import default_registry

pytestmark = pytest.mark.anyio
CONNECTORS = tuple(default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://localhost:8000")))


@pytest.mark.parametrize("connector", CONNECTORS, ids=lambda connector: connector.platform.key)
async def test_every_platform_has_a_first_call_in_a_queue_of_its_own(connector: Connector) -> None:
    call = await first_call(connector)
    assert call.queue in {f"{connector.platform.key}/{service.key}" for service in connector.platform.services}
