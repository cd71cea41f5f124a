"""Schema errors of a catalogue file in plain words, with a line that would be valid."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from mirror_ray.core.errors import SweepError
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.providers.redaction import Secrets

SHOWN = Secrets()
"""Redacts what looks like a key from the values that messages quote."""
_NOT_SHOWN = frozenset(
    {"api_key_env", "needs_env", "extra_headers_env", "base_url", "extra", "env", "args", "command"}
)
"""Keys under which a secret may have been written by mistake."""


def in_plain_words(
    problem: ErrorDetails, path: Path, schema: type[BaseModel], inner: dict[str, type[BaseModel]]
) -> SweepError:
    """Return pydantic's problem as got, allowed, fix.

    Args:
        schema: of the keys at the place where an unknown key was found.
        inner: schemas of keys that contain further keys.
    """
    # Union members appear in a location by their type's name.
    parts = [str(part) for part in problem["loc"] if not str(part).startswith("list[")]
    where = f"{path}: {SHOWN.redact('.'.join(parts) or '(whole file)')}"
    if problem["type"] == "extra_forbidden":
        unknown = SHOWN.one_line(parts[-1])
        schema = next((inner[part] for part in parts[2:-1] if part in inner), schema)
        keys = list(schema.model_fields)
        fix = did_you_mean(unknown, keys) or f"remove {unknown!r}"
        return SweepError(where, repr(unknown), "one of " + ", ".join(keys), fix)
    is_shown = not _NOT_SHOWN & set(parts)
    hidden = f"a {type(problem['input']).__name__} (not shown, because it may contain a key)"
    got = SHOWN.one_line(repr(problem["input"])) if is_shown else hidden
    allowed, example = _allowed(problem, parts)
    return SweepError(where, got, allowed, f"correct it, e.g. {_named(parts)}: {example}")


def _named(parts: Sequence[str]) -> str:
    return next(
        (SHOWN.one_line(part) for part in reversed(parts) if not part.isdecimal()), "models"
    )


def _allowed(problem: ErrorDetails, parts: Sequence[str]) -> tuple[str, str]:
    said = shipped_yaml("mirror_ray.providers", "catalogue_words.yaml")
    kind, name = problem["type"], _named(parts)
    context: dict[str, Any] = problem.get("ctx", {})
    words, example = said["types"].get(kind.partition("_")[0], ("", "60"))
    if kind in said["bounds"]:
        before, bound = said["bounds"][kind]
        words = f"a number {before} {context[bound]:,g}"
    elif kind == "literal_error":
        words, example = str(context["expected"]), str(context["expected"]).split("'")[1]
    elif kind == "string_pattern_mismatch":
        words = said["forms"].get(name, f"a text of the form {context['pattern']}")
    elif not words:
        words = problem["msg"].removeprefix("Value error, ")
    return words, said["examples"].get(name, example)
