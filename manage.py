#!/usr/bin/env python
"""Django's command line: ``.venv/bin/python manage.py help`` lists what there is."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "besluitbron.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # what the settings say is a sentence for who typed the command
        sys.exit(f"{error}")
