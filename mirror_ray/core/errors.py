"""The exceptions that cross a boundary, and the common form of their messages.

An API failure is not an exception: it is a `Reply` with an `error_kind`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar
from unicodedata import east_asian_width

from mirror_ray.core.untrusted import one_printable_line, printable

_MOST_WHERE, _MOST_GOT, _MOST_ALLOWED, _MOST_FIX = 6_000, 500, 3_000, 2_000
"""Characters of an error's parts: a path may have 4,096, and `allowed` may list many names."""
_MOST_QUOTED, _SHOWN_BEFORE = 100, 60
"""Characters of a quoted line, and of its part before the marked place."""
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Quoted:
    """A line of a file, or an argument, with the place of a problem.

    Args:
        title: file, line, column and key, as compilers print them.
        line: the whole line.
        start, width: the place in it, in characters.
        number: of the line in its file, from 1; None for an argument.
    """

    title: str
    line: str
    start: int
    width: int
    number: int | None = None

    def __str__(self) -> str:
        cut = max(0, self.start - _SHOWN_BEFORE)
        part = self.line[cut : cut + _MOST_QUOTED]
        # An override may contain line breaks.
        shown = printable("".join(" " if one.isspace() else one for one in part))
        before = "".join(" " * (1 + _is_wide(one)) for one in shown[: self.start - cut])
        marked = shown[self.start - cut :][: max(1, self.width)]
        marks = "^" * max(1, sum(1 + _is_wide(one) for one in marked.rstrip()))
        margin = "" if self.number is None else f"{self.number}"
        return f"  {margin:>5} | {shown.rstrip()}\n  {'':>5} | {before}{marks}"


def _is_wide(character: str) -> bool:
    return east_asian_width(character) in "WF"


class MirrorRayError(Exception):
    """Base of all errors meant for a person; `str()` is the whole message.

    Each part is one printable line of bounded length, so that it may quote anything.

    Args:
        where: file and key, e.g. ``sweeps/quickstart.yaml: stages.0.conditions``; or what went
            wrong, if one sentence suffices.
        got: the offending value, as written.
        allowed: what would have been accepted.
        fix: what to type instead.
        quoted: the line with the problem; its title is printed instead of `where`.
    """

    exit_code: ClassVar[int] = 2
    """The exit code of a command that such an error ends."""

    def __init__(
        self,
        where: str,
        got: str = "",
        allowed: str = "",
        fix: str = "",
        quoted: Quoted | None = None,
    ) -> None:
        self.quoted = quoted
        self.where = one_printable_line(where, _MOST_WHERE)
        self.got = one_printable_line(got, _MOST_GOT)
        self.allowed = one_printable_line(allowed, _MOST_ALLOWED)
        self.fix = one_printable_line(fix, _MOST_FIX)
        parts = (("got:", self.got), ("allowed:", self.allowed), ("fix:", self.fix))
        lines = [f"  {name:<8} {part}" for name, part in parts if part]
        head = [self.where]
        if quoted is not None:
            head = [one_printable_line(quoted.title, _MOST_WHERE), str(quoted)]
        super().__init__("\n".join([*head, *lines]))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.where, self.got, self.allowed, self.fix, self.quoted)


class SweepError(MirrorRayError):
    """Bad input, found before any actor starts. It has all four parts."""

    def __init__(
        self, where: str, got: str, allowed: str, fix: str, quoted: Quoted | None = None
    ) -> None:
        super().__init__(where, got, allowed, fix, quoted)


class SeveralErrors(SweepError):  # noqa: N818 - they are several
    """Several problems of one sweep; the four parts are those of the first."""

    def __init__(self, problems: Sequence[SweepError]) -> None:
        first = problems[0]
        super().__init__(first.where, first.got, first.allowed, first.fix, first.quoted)
        self.problems = tuple(problems)
        shown = [str(one) for one in problems[:_MOST_PROBLEMS]]
        more = len(problems) - len(shown)
        counted = f"{len(problems)} problems" + (f", of which {more} are not shown" if more else "")
        self.args = ("\n\n".join([*shown, counted]),)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.problems,)


class UnfitError(Exception):
    """A file or a text from outside cannot be used; its caller adds the file.

    Args:
        got, allowed, fix: as in `SweepError`.
        key: the path of the key within the file, its parts joined by dots; "" for the whole file.
        place: line, column (from 0) and length of the problem in characters, if known.
    """

    def __init__(
        self,
        got: str,
        allowed: str,
        fix: str,
        key: str = "",
        place: tuple[int, int, int] | None = None,
    ) -> None:
        self.got, self.allowed, self.fix, self.key = got, allowed, fix, key
        self.place = place
        super().__init__(f"{key}: {got}" if key else got)

    def at(self, where: str) -> SweepError:
        """Return the same problem as a `SweepError` that names this file and key."""
        where = f"{where}: {self.key}" if self.key else where
        return SweepError(where, self.got, self.allowed, self.fix)


class RunDirError(MirrorRayError):
    """The run directory cannot be used: unwritable, of another sweep, locked, or damaged."""


class RecordError(MirrorRayError):
    """A row or reply that does not fit its schema: names the column and the episode."""


class PluginError(SweepError):
    """A plug-in of another package, under an entry point, cannot be used."""


class RenderError(MirrorRayError):
    """No usable GL, a scene that cannot be drawn, or a driver that hangs."""


class SceneError(MirrorRayError):
    """No scene was found that satisfies the protocol's constraints within the allowed attempts."""


class EngineError(MirrorRayError):
    """The cluster cannot be used, or an actor cannot do its work."""


class HungError(EngineError):
    """The graphics driver hung, but while rendering for another episode than this one."""


class LostError(EngineError):
    """Hosts or processes of a run are lost for good.

    The records are kept; the same command resumes the run once the hosts are available."""

    exit_code: ClassVar[int] = 4
