"""The files in ``docs/voorbeelden`` that readers copy, as modules."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Final

from besluitbron.running.layout import PROJECT


def _example(name: str) -> ModuleType:
    """By its own name: one imports the other, as it does where both were copied to."""
    spec = importlib.util.spec_from_file_location(name, PROJECT / "docs" / "voorbeelden" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


AGENT: Final = _example("agent")
MCP_AGENT: Final = _example("mcp_agent")
TRIAL: Final = _example("proefuitgever")
