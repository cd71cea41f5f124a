"""All problems of one sweep, each at its line of the file or at its override."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

from mirror_ray.core.errors import Quoted, SeveralErrors, SweepError, UnfitError
from mirror_ray.core.plain_yaml import Keys, dotted
from mirror_ray.core.yaml_places import places_in
from mirror_ray.providers.redaction import Secrets
from mirror_ray.sweep.interpolation import steps_of

_NOT_QUOTED = ("notify", "journal")
"""Keys whose address may be secret, or contain a secret."""


class Problems:
    """Collects errors, so that one message can report all of them."""

    def __init__(self) -> None:
        self.found: list[SweepError] = []

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Collect a SweepError that the block raises, and continue after the block."""
        try:
            yield
        except SeveralErrors as errors:
            self.found.extend(errors.problems)
        except SweepError as error:
            self.found.append(error)

    def raise_all(self) -> None:
        """Raise the collected problem, or all of them as one SweepError, if there are any."""
        if len(self.found) == 1:
            raise self.found[0]
        if self.found:
            raise SeveralErrors(self.found)


@dataclass(frozen=True, slots=True)
class SweepText:
    """The text of a sweep and its overrides, in which problems are located.

    Args:
        source: the file's path, as errors name it.
        taken_from: path of a stage's key → the key at the top from which it takes its value.
    """

    source: str
    text: str
    overrides: Sequence[str] = ()
    taken_from: Mapping[Keys, Keys] = field(default_factory=dict)

    def located(self, error: SweepError) -> SweepError:
        """Return the same error or errors, each with the line that it concerns."""
        problems = error.problems if isinstance(error, SeveralErrors) else (error,)
        each = {str(one): one for one in map(self._located, problems)}
        # Errors of the command line come last.
        found = sorted(each.values(), key=lambda one: (one.quoted and one.quoted.number) or inf)
        return found[0] if len(found) == 1 else SeveralErrors(found)

    def unreadable(self, error: UnfitError) -> SweepError:
        """Return an error in reading the file, located at the place that it names."""
        found = error.at(self.source)
        if error.place is None:
            return self.located(found)
        line, column, width = error.place
        lines = self.text.splitlines() or [""]
        line = min(line, len(lines) - 1)
        quoted = self._quoted(error.key, lines[line], (line, column, width))
        return SweepError(found.where, found.got, found.allowed, found.fix, quoted)

    def _located(self, error: SweepError) -> SweepError:
        # Printable and on one line, as in every error.
        prefix = SweepError(f"{self.source}:", "", "", "").where + " "
        if error.quoted is not None or not error.where.startswith(prefix):
            return error
        key = error.where.removeprefix(prefix)
        path = steps_of(key)
        for stage_key, top_key in self.taken_from.items():
            if path[: len(stage_key)] == stage_key:
                path = (*top_key, *path[len(stage_key) :])
        if (override := self._override(path)) is not None:
            return _at_override(error, override, key, path)
        quoted = self._line_of(path, key, at_key=_is_about_the_key(error, path))
        return SweepError(error.where, error.got, error.allowed, error.fix, quoted)

    def _override(self, path: Keys) -> str | None:
        for override in reversed(self.overrides):
            steps = steps_of(override.partition("=")[0])
            # Compared as texts, because names of models contain dots.
            if f"{dotted(path)}.".startswith(f"{dotted(steps)}."):
                return override
        return None

    def _line_of(self, path: Keys, key: str, *, at_key: bool) -> Quoted | None:
        if path and path[0] in _NOT_QUOTED:
            return None
        places = places_in(self.text)
        # A missing key is reported where its map begins.
        known = path
        while known and known not in places:
            known = known[:-1]
        if not known:
            return None
        key_place, value_place = places[known]
        # A single value may be short for a list of one value.
        is_whole = known == path or (known == path[:-1] and path[-1].isdecimal())
        is_beside = value_place[0] == key_place[0] and is_whole
        place = key_place if at_key or not is_beside else value_place
        return self._quoted(key, self.text.splitlines()[place[0]], place)

    def _quoted(self, key: str, line: str, place: tuple[int, int, int]) -> Quoted:
        number, column, width = place
        title = f"{self.source}:{number + 1}:{column + 1}" + (f": {key}" if key else "")
        if _SECRETS.redact(line) != line:
            line, column, width = "(not shown: it may contain a key)", 0, 1
        return Quoted(title, line, column, width, number + 1)


_SECRETS = Secrets()


def _is_about_the_key(error: SweepError, path: Keys) -> bool:
    return error.got == repr(path[-1])


def _at_override(error: SweepError, override: str, key: str, path: Keys) -> SweepError:
    name, _, value = override.partition("=")
    fix = error.fix
    last = next((step for step in reversed(path) if not step.isdecimal()), "")
    if fix.startswith(example := f"e.g. {last}: "):
        fix = f"e.g. {shlex.quote(f'{name}={fix.removeprefix(example)}')}"
    if (path and path[0] in _NOT_QUOTED) or _SECRETS.redact(override) != override:
        return SweepError(f"command line: {name}", error.got, error.allowed, fix)
    at_key = _is_about_the_key(error, path) or not value
    start, width = (0, len(name)) if at_key else (len(name) + 1, len(value))
    quoted = Quoted(f"command line: {key}", override, start, width)
    return SweepError(f"command line: {override}", error.got, error.allowed, fix, quoted)
