"""The exceptions that cross a boundary, one each.

Knows what went wrong and what to do about it; does not know who prints it.
An API failure is not an exception: it is a `Reply` with an `error_kind`.
"""


class MirrorRayError(Exception):
    """Base of all errors meant for a person; `str()` is the whole message."""


class SweepError(MirrorRayError):
    """Bad input, found before an actor starts: says what was got, what is allowed, how to fix it.

    Args:
        where: file and key, e.g. ``sweeps/quickstart.yaml: stages.0.conditions``.
        got: the offending value, as written.
        allowed: what would have been accepted.
        fix: what to type instead.
    """

    def __init__(self, where: str, got: str, allowed: str, fix: str) -> None:
        self.where, self.got, self.allowed, self.fix = where, got, allowed, fix
        super().__init__(f"{where}\n  got:     {got}\n  allowed: {allowed}\n  fix:     {fix}")

    def __reduce__(self) -> tuple[type, tuple[str, str, str, str]]:
        return type(self), (self.where, self.got, self.allowed, self.fix)


class RunDirError(MirrorRayError):
    """The run directory cannot be used: unwritable, of another sweep, locked, or damaged."""


class RecordError(MirrorRayError):
    """A row or reply that does not fit its schema: names the column and the episode."""


class RenderError(MirrorRayError):
    """No usable GL, a scene that cannot be drawn, or a driver that hangs."""


class SceneError(MirrorRayError):
    """No scene satisfies the protocol's constraints within the rejection bound."""


class EngineError(MirrorRayError):
    """The cluster cannot be used, or an actor cannot do its work."""


class LostError(EngineError):
    """Hosts or processes of a run are gone for good. What is recorded stands; the run goes on from
    there once they are back.
    """
