"""The mapping that the stand-in gives of each index: the fields that its records have, as the platform declares them."""

from __future__ import annotations

from typing import Any, Final

_KEYWORD: Final = {"type": "keyword"}
_NAME: Final = {"type": "text"}
_DATE: Final = {"type": "date"}
_TEXT: Final = {"type": "text", "term_vector": "with_positions_offsets_payloads", "analyzer": "fttext_nl"}
_BOTH: Final = {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}}


def mapping_of(index: str) -> dict[str, Any]:
    """The answer of ``_mapping`` for one index, under its own name."""
    pages = {"type": "nested", "properties": {"page_number": {"type": "long"}, "text": _TEXT}}
    keywords = ("@id", "@type", "url", "original_url", "content_type", "parent", "is_referenced_by")
    properties = {
        "@context": {"type": "object", "enabled": False},
        **dict.fromkeys(keywords, _KEYWORD),
        **dict.fromkeys(("name", "title"), _NAME),
        **dict.fromkeys(("description", "text", "md_text"), _TEXT),
        "text_pages": pages,
        **dict.fromkeys(("last_discussed_at", "start_date"), _DATE),
        **dict.fromkeys(("classification", "committee", "has_organization_name"), _BOTH),
        "size_in_bytes": {"type": "long"},
        "position": {"type": "float"},
        "was_generated_by": {"type": "object", "enabled": False},
    }
    return {index: {"mappings": {"properties": properties}}}
