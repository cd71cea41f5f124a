"""Control requests: the words of a command line, or one JSON object on a line from any client."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.core.untrusted import bounded_float, bounded_int
from mirror_ray.engine.limiter.live_settings import KeyChange

Command: TypeAlias = Literal["state", "pause", "resume", "stop", "limits", "budget", "requeue"]
COMMANDS: tuple[Command, ...] = get_args(Command)

MOST_REQUEST_BYTES = 4_096
"""The size limit of a request, which is one line."""

USAGE = (
    "state, pause, resume, stop, limits MODEL rpm=N tpm=N concurrency=N, budget +USD, budget -USD,"
    " budget USD, requeue failed"
)

_MOST_MODEL = 200
_KEYS: Mapping[str, frozenset[str]] = {
    "limits": frozenset({"model", "rpm", "tpm", "concurrency"}),
    "budget": frozenset({"usd", "by_usd"}),
    "requeue": frozenset({"what"}),
}
_MOST_USD = 1e12


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """A well-formed request. The run itself checks whether it can be carried out.

    Args:
        model, change: of "limits".
        usd: of "budget": the new ceiling or, if `is_relative`, the amount to add.
    """

    command: Command
    model: str = ""
    change: KeyChange = field(default_factory=KeyChange)
    usd: float = 0.0
    is_relative: bool = False


def request_of_words(words: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object for a command line's words. Raise SweepError if they form no
    request."""
    command, *rest = words or ("",)
    if command == "limits" and rest:
        model, *pairs = rest
        split = [pair.partition("=") for pair in pairs]
        return {"command": command, "model": model, **{key: _figure(v) for key, _, v in split}}
    if command == "budget" and len(rest) == 1:
        key = "by_usd" if rest[0][:1] in ("+", "-") else "usd"
        return {"command": command, key: _figure(rest[0])}
    if command == "requeue" and len(rest) == 1:
        return {"command": command, "what": rest[0]}
    if rest or command in _KEYS:
        raise _refused("words", " ".join(words))
    return {"command": command}


def read_request(line: bytes) -> ControlRequest:
    """Return the request on a line. Raise SweepError, which says what is wrong."""
    try:
        found = read_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _refused("request", "bytes that are not UTF-8") from error
    except UnfitError as error:
        raise _refused("request", error.got) from error
    if not isinstance(found, dict):
        raise _refused("request", type(found).__name__)
    command = found.pop("command", None)
    if command not in COMMANDS:
        hint = did_you_mean(command, COMMANDS) if isinstance(command, str) else ""
        raise _refused("command", repr(command)[:80], hint or "")
    unknown = found.keys() - _KEYS.get(command, frozenset())
    if unknown:
        raise _refused(f"{command}: {min(unknown)}", repr(found[min(unknown)])[:80])
    if command == "limits":
        return _limits(found)
    if command == "budget":
        return _budget(found)
    if command == "requeue" and found.get("what") != "failed":
        raise _refused("requeue: what", repr(found.get("what"))[:80])
    return ControlRequest(command)


def _limits(found: Mapping[str, Any]) -> ControlRequest:
    model = found.get("model")
    if not isinstance(model, str) or not 0 < len(model) <= _MOST_MODEL:
        raise _refused("limits: model", repr(model)[:80])
    figures = {key: found[key] for key in ("rpm", "tpm", "concurrency") if key in found}
    if not figures:
        raise _refused("limits", "no limit")
    for key, value in figures.items():
        calls = key == "concurrency"
        fits = bounded_int(value, 1, 10**6) if calls else bounded_float(value, 1.0, 1e12)
        if fits is None:
            raise _refused(f"limits: {key}", repr(value)[:80], "a number from 1 on")
        figures[key] = fits
    return ControlRequest("limits", model=model, change=KeyChange(**figures))


def _budget(found: Mapping[str, Any]) -> ControlRequest:
    if len(found) != 1:
        raise _refused("budget", "neither usd nor by_usd, or both")
    ((key, value),) = found.items()
    is_relative = key == "by_usd"
    usd = bounded_float(value, -_MOST_USD if is_relative else 0.0, _MOST_USD)
    if usd is None:
        raise _refused(f"budget: {key}", repr(value)[:80], "a number of USD")
    return ControlRequest("budget", usd=usd, is_relative=is_relative)


def _figure(word: str) -> float | int | str:
    try:
        figure = float(word)
    except ValueError:
        return word
    return int(figure) if figure.is_integer() else figure


def _refused(where: str, got: str, fix: str = "") -> SweepError:
    return SweepError(f"ctl: {where}", got or "nothing", USAGE, fix or "correct it")
