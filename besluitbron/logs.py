"""Structured logs: one JSON object a line, with the id of the request. No question of a user ever stands in one.

Loggers that would write addresses with their query (httpx, uvicorn's access log), or pieces of a document (pypdf), are kept
silent, and of a failure the
kind and the place are logged, not its text: a text may quote what somebody asked.
"""

from __future__ import annotations

import json
import logging
import logging.config
import sys
from typing import Any, Final

import structlog
from structlog.typing import EventDict, WrappedLogger

# What these say of a request is whatever its sender put in it.
_FIXED: Final = {
    "django.request": "request_failed",
    "asyncio": "loop_fault",
}
_OWN_HANDLERS: Final = ("uvicorn", "uvicorn.error")  # these bring their own, in a form of their own
_SILENT: Final = ("httpx", "httpcore", "uvicorn.access", "django.server", "pypdf")


_ENCODER: Final = json.JSONEncoder(default=repr)


def _as_json(event: EventDict, **_: Any) -> str:
    """One line. The encoder is made once: making one costs more than using it."""
    return _ENCODER.encode(event)


def configure(level: str = "INFO") -> None:
    """Configure structlog and the standard library's logging for this process."""
    _leave_out_what_nobody_reads()
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "json": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        structlog.processors.JSONRenderer(_as_json),
                    ],
                    "foreign_pre_chain": [*_SHARED, without_query],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {
                **{name: {"handlers": [], "propagate": True} for name in _OWN_HANDLERS},
                **{name: {"level": "CRITICAL", "propagate": False} for name in _SILENT},
            },
        }
    )
    structlog.configure(
        processors=_PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _leave_out_what_nobody_reads() -> None:
    """Where in the code a line was written, by which thread and process: finding that costs more than the rest of a line."""
    logging._srcfile = None  # noqa: SLF001 - as the documentation of logging says
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def failures_without_text(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Replace a failure by its kind and the places it went through."""
    del logger, name
    info = event.pop("exc_info", None)
    if not info:
        return event
    if info is True:
        info = sys.exc_info()
    error = info if isinstance(info, BaseException) else info[1] if isinstance(info, tuple) else None
    if error is None:
        return event
    event["failure"] = type(error).__name__
    event["places"] = _places(error)
    return event


def _places(error: BaseException) -> list[str]:
    places: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return places[-8:]


def without_query(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Cut everything behind a question mark off the lines of libraries: it is where an address holds what was asked."""
    del logger, name
    text = event.get("event")
    if event.get("logger") in _FIXED:
        event["event"] = _FIXED[str(event["logger"])]
    elif isinstance(text, str) and "?" in text:
        event["event"] = text.partition("?")[0] + "?…"
    return event


_SHARED: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    failures_without_text,
]
_PROCESSORS: Final[list[Any]] = [*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]
"""One list for the life of the process: loggers are made once and keep it."""
