"""A storage whose process is killed before one of its changes."""

from typing import Any

from pyarrow import fs as pafs


class KilledError(BaseException):
    """The process ends here."""


class Killer:
    """Ends the process before the n-th change of a storage."""

    def __init__(self, n: int) -> None:
        self.left = n

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KilledError


def mortal(fs: pafs.FileSystem, killer: Killer) -> pafs.FileSystem:
    """The same storage, for a process that is killed."""

    class Mortal(type(fs)):
        def delete_file(self, path: str) -> None:
            killer.step()
            super().delete_file(path)

        def move(self, source: str, target: str) -> None:
            killer.step()
            super().move(source, target)

        def open_output_stream(self, path: str, *args: Any, **about: Any) -> Any:
            killer.step()
            return super().open_output_stream(path, *args, **about)

    _, reduced = fs.__reduce__()
    about = reduced[0] if reduced and isinstance(reduced[0], dict) else {}
    return Mortal(**about)
