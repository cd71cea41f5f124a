"""Schema errors of a catalogue file in plain words, with a line that would work."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from mirror_ray.core.errors import SweepError
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.providers.redaction import Secrets

SHOWN = Secrets()
"""Redacts what looks like a key from the values that messages quote."""
_NOT_SHOWN = frozenset(
    {"api_key_env", "needs_env", "extra_headers_env", "base_url", "extra", "env", "args", "command"}
)
"""Keys under which a secret may have been written by mistake."""
_EXAMPLES = {
    "models": "{my-model: {target: openai/gpt-5.1, rpm: 60}}",
    "target": "openai/gpt-5.1",
    "base_url": "http://localhost:8000/v1",
    "api_key_env": "MY_API_KEY",
    "needs_env": "[MY_API_KEY]",
    "needs_packages": "[google.auth]",
    "day_zone": "America/Los_Angeles",
    "released": "2026-03",
    "tpm": "200000",
    "usd_per_mtok_in": "1.25",
    "usd_per_mtok_out": "10",
    "max_tokens": "1024",
    "timeout_s": "120",
    "serve": "{engine: vllm, weights: Qwen/Qwen3-VL-8B-Instruct}",
}
_WORDS = {
    "bool": ("true or false", "false"),
    "float": ("a number", "60"),
    "int": ("a whole number", "8"),
    "dict": ("keys with values", "{key: value}"),
    "model": ("keys with values", "{key: value}"),
    "list": ("a list", "[a, b]"),
    "string": ("a text", "a-name"),
}
_PATTERNS = {
    "base_url": "an address that begins with http:// or https:// and has no blank space",
    "released": "a year, a month or a day",
}
_BOUNDS = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("of at least", "ge"),
    "less_than_equal": ("of at most", "le"),
}


def in_plain_words(
    problem: ErrorDetails, path: Path, schema: type[BaseModel], inner: dict[str, type[BaseModel]]
) -> SweepError:
    """Return pydantic's problem as got, allowed, fix.

    Args:
        schema: of the keys at the place where an unknown key was found.
        inner: schemas of the keys that hold keys of their own.
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
    got = SHOWN.one_line(repr(problem["input"])) if is_shown else "another value (not shown)"
    allowed, example = _allowed(problem, parts)
    return SweepError(where, got, allowed, f"e.g. {_named(parts)}: {example}")


def _named(parts: Sequence[str]) -> str:
    return next(
        (SHOWN.one_line(part) for part in reversed(parts) if not part.isdecimal()), "models"
    )


def _allowed(problem: ErrorDetails, parts: Sequence[str]) -> tuple[str, str]:
    kind, name = problem["type"], _named(parts)
    context: dict[str, Any] = problem.get("ctx", {})
    words, example = _WORDS.get(kind.partition("_")[0], ("", "60"))
    if kind in _BOUNDS:
        before, bound = _BOUNDS[kind]
        words = f"a number {before} {context[bound]:,g}"
    elif kind == "literal_error":
        words, example = str(context["expected"]), str(context["expected"]).split("'")[1]
    elif kind == "string_pattern_mismatch":
        words = _PATTERNS.get(name, f"a text of the form {context['pattern']}")
    elif not words:
        words = problem["msg"].removeprefix("Value error, ")
    return words, _EXAMPLES.get(name, example)
