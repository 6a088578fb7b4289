"""Django's settings, in three parts: what the environment says, Django itself, and BesluitBron's own.

Every variable is described in ``docs/naslag/instellingen.md``.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from django.core.exceptions import ImproperlyConfigured

from besluitbron import version
from besluitbron.caches import caches
from besluitbron.running.faults import OptionsError
from besluitbron.running.options import read_options
from besluitbron.running.secrets import admission_key, report_key, secret_key
from connectors.buffering.keys import Keys
from connectors.buffering.rules import Rules
from connectors.platforms import PLATFORMS
from throttling.callers import Callers
from throttling.daily_key import DayKey

# ── What the environment says ────────────────────────────────────────────────────────────────────────────────────────

BASE_DIR = Path(__file__).resolve().parent.parent
try:
    OPTIONS = read_options(os.environ)
except OptionsError as error:
    raise ImproperlyConfigured(str(error)) from None
LAYOUT = OPTIONS.layout
LAYOUT.data.mkdir(parents=True, exist_ok=True)
PORT = OPTIONS.port
PLATFORM_MODE = OPTIONS.platforms

# ── Django ───────────────────────────────────────────────────────────────────────────────────────────────────────────

SECRET_KEY = secret_key(LAYOUT)
DEBUG = False
ALLOWED_HOSTS = (os.environ.get("BESLUITBRON_HOSTS") or "localhost,127.0.0.1,[::1]").split(",")
INSTALLED_APPS = [
    "besluitbron.apps.BeheerConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "throttling",
    "connectors",
    "search",
    "reports",
    "admission",
    "besluitbron.apps.BesluitbronConfig",
]
# Django's own classes that keep state run behind /beheer/ alone (docs/besluiten/0006): public pages set no cookie and
# make no hop to a thread for them.
MIDDLEWARE = [
    "besluitbron.middleware.EveryPage",
    "search.api.middleware.ApiOptions",
    "besluitbron.beheer.BeheerSessions",
    "besluitbron.beheer.BeheerCsrf",
    "besluitbron.beheer.BeheerAuthentication",
    "besluitbron.beheer.BeheerMessages",
]
ROOT_URLCONF = "besluitbron.urls"
ASGI_APPLICATION = "besluitbron.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["search.templatetags.language"],
            "context_processors": [
                "besluitbron.context.site",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
            ],
        },
    },
]
DATABASES = {"default": OPTIONS.database.django(LAYOUT.database)}
CACHES = caches(LAYOUT.buffer_socket, OPTIONS.buffer.patience)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LANGUAGE_CODE = "nl"
TIME_ZONE = "Europe/Amsterdam"
USE_I18N = True
USE_TZ = True
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
APPEND_SLASH = False
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/beheer/"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_FAILURE_VIEW = "besluitbron.errors.no_token"
X_FRAME_OPTIONS = "DENY"
# Only behind a proxy of the operator's own is there anybody whose word on https counts.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if OPTIONS.asking.proxies else None
LOGIN_URL = "/beheer/login/"
LOGGING_CONFIG = None  # besluitbron.logs configures logging for every process, Django's included
# Three of Django's deployment checks look for the names of the classes replaced above; tests prove headers and CSRF.
SILENCED_SYSTEM_CHECKS = ["security.W001", "security.W002", "security.W003"]

# ── BesluitBron ──────────────────────────────────────────────────────────────────────────────────────────────────────

VERSION = version()
STAND_INS_ADDRESS = os.environ.get("BESLUITBRON_STAND_INS") or f"http://127.0.0.1:{PORT + 1}"
SITE_ADDRESS = (os.environ.get("BESLUITBRON_ADDRESS") or f"http://localhost:{PORT}").rstrip("/")
CONTACT_ADDRESS = OPTIONS.contact
CALLERS = Callers(DayKey(LAYOUT.day_key), OPTIONS.asking.proxies, OPTIONS.asking.vendors)
INCOMING_RULES = replace(
    OPTIONS.incoming.rules, vendors={v.name: v.rate for v in OPTIONS.asking.vendors if v.rate is not None}
)
INCOMING_CONNECTORS = (
    "mcp:unified",
    *(f"mcp:{platform.key}" for platform in PLATFORMS),
    "pagina",
    "api",
    "toelating",
    "beheer",
)
FEDERATION_FACTORY = "besluitbron.composition.terminal_federation"
BREAKER_FAILURES = OPTIONS.breaker.failures
BREAKER_SECONDS = OPTIONS.breaker.seconds
BUFFER_KEYS = Keys(SECRET_KEY.encode(), PLATFORM_MODE)
BUFFER_RULES = Rules(
    version=VERSION,
    shares=OPTIONS.buffer.shares,
    lifetimes=OPTIONS.buffer.lifetimes,
    patience=OPTIONS.buffer.patience,
)
BACKGROUND = "besluitbron.celery.send"
REPORT_KEY = report_key(LAYOUT)
ADMISSION_KEY = admission_key(LAYOUT)
ADMISSION_SITE = "besluitbron.admission.discovery_site"
ADMISSION_FETCHER = "admission.fetching.system_fetcher"
ADMISSION_FACTORY = "besluitbron.admission.open_admission"
OPERATIONS_FACTORY = "besluitbron.admission.make_operations"
REPORTS_FACTORY = "besluitbron.reporting.ReportHouse"
RECEPTION_FACTORY = "besluitbron.reception.open_reception"
UPKEEP_FACTORY = "besluitbron.composition.UpkeepHouse"
QUEUES_FACTORY = "besluitbron.queues.queues"
FLOOD_FACTORY = "besluitbron.flood.open_flood"
TURNS_MEMORY = "throttling.database.DatabaseMemory"
STATE_STORE = f"unix://{quote(str(LAYOUT.state_socket))}?db=0"

PATIENCE_SECONDS = 8.0  # the page's patience after a call was sent; the call itself goes on
PAGE_SECONDS = 60.0  # how long an answer page stays open at most
PING_SECONDS = 15.0  # a stream of events without news shows after so long that it lives
STREAMS_PER_PROCESS = 200  # answer pages of which one process sends what comes later
STREAMS_PER_CLIENT = 6
QUESTION_MAX_CHARACTERS = 500
REGISTER_SECONDS = 60.0  # how often the website looks whether the kept lists of organisations changed
