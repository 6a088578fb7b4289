"""Loaded before Django's settings: every test run has a data folder of its own, and no setting of the machine counts."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

for _name in [name for name in os.environ if name.startswith("BESLUITBRON_")] + ["PORT"]:
    os.environ.pop(_name, None)

_folder = tempfile.mkdtemp(prefix="besluitbron-test-")
os.environ["BESLUITBRON_DATA"] = _folder
if "TESTS_DATABASE" in os.environ:  # the same tests on PostgreSQL: tests/product/test_postgres.py
    os.environ["BESLUITBRON_DATABASE"] = os.environ["TESTS_DATABASE"]
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
