"""The exceptions that cross a boundary, one each, and the one form of their messages.

An API failure is not an exception: it is a `Reply` with an `error_kind`.
"""

from typing import ClassVar

from mirror_ray.core.untrusted import one_printable_line

_MOST_WHERE, _MOST_GOT, _MOST_ALLOWED, _MOST_FIX = 6_000, 500, 3_000, 2_000
"""Characters of an error's parts: a path may have 4,096, and `allowed` lists names."""


class MirrorRayError(Exception):
    """Base of all errors meant for a person; `str()` is the whole message.

    Whatever the parts quote, each is kept as one printable line of bounded length; an empty one is
    left out.

    Args:
        where: file and key, e.g. ``sweeps/quickstart.yaml: stages.0.conditions``; or what went
            wrong, where one sentence says it.
        got: the offending value, as written.
        allowed: what would have been accepted.
        fix: what to type instead.
    """

    exit_code: ClassVar[int] = 2
    """Of a command that such an error ends."""

    def __init__(self, where: str, got: str = "", allowed: str = "", fix: str = "") -> None:
        self.where = one_printable_line(where, _MOST_WHERE)
        self.got = one_printable_line(got, _MOST_GOT)
        self.allowed = one_printable_line(allowed, _MOST_ALLOWED)
        self.fix = one_printable_line(fix, _MOST_FIX)
        parts = (("got:", self.got), ("allowed:", self.allowed), ("fix:", self.fix))
        lines = [f"  {name:<8} {part}" for name, part in parts if part]
        super().__init__("\n".join([self.where, *lines]))

    def __reduce__(self) -> tuple[type, tuple[str, str, str, str]]:
        return type(self), (self.where, self.got, self.allowed, self.fix)


class SweepError(MirrorRayError):
    """Bad input, found before an actor starts; it has all four parts."""

    def __init__(self, where: str, got: str, allowed: str, fix: str) -> None:
        super().__init__(where, got, allowed, fix)


class UnfitError(Exception):
    """A file or a text from outside cannot be used; its caller says where that stood.

    Args:
        got, allowed, fix: as in `SweepError`.
        key: the path of the key within the file, its parts joined by dots; "" for the whole file.
    """

    def __init__(self, got: str, allowed: str, fix: str, key: str = "") -> None:
        self.got, self.allowed, self.fix, self.key = got, allowed, fix, key
        super().__init__(f"{key}: {got}" if key else got)

    def at(self, where: str) -> SweepError:
        """The same as the error of a sweep, of the file and key that are named."""
        where = f"{where}: {self.key}" if self.key else where
        return SweepError(where, self.got, self.allowed, self.fix)


class RunDirError(MirrorRayError):
    """The run directory cannot be used: unwritable, of another sweep, locked, or damaged."""


class RecordError(MirrorRayError):
    """A row or reply that does not fit its schema: names the column and the episode."""


class PluginError(SweepError):
    """What another package brings, under an entry point, cannot be used."""


class RenderError(MirrorRayError):
    """No usable GL, a scene that cannot be drawn, or a driver that hangs."""


class SceneError(MirrorRayError):
    """No scene satisfies the protocol's constraints within the rejection bound."""


class EngineError(MirrorRayError):
    """The cluster cannot be used, or an actor cannot do its work."""


class HungError(EngineError):
    """The graphics driver hung at the picture of another episode than this error's."""


class LostError(EngineError):
    """Hosts or processes of a run are lost for good. The records stand; the same command resumes
    the run once the hosts are available.
    """

    exit_code: ClassVar[int] = 4
