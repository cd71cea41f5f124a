"""Families, agents and backends of other installed packages, found by their entry points.

A plug-in is code that the user installed: it is trusted, and its name is checked. It is imported on
first use, and its faults disable only itself. A module may raise anything at import, even
SystemExit. What it prints goes to standard error, so that a command's JSON stays JSON."""

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import FrameType
from typing import Any, Generic, Literal, TypeVar

from mirror_ray.core.errors import PluginError
from mirror_ray.core.untrusted import one_printable_line


@contextmanager
def as_plugin(words: str, package: str) -> Iterator[None]:
    """Run the block; every exception that it raises becomes a PluginError.

    Args:
        words: where the plug-in comes from, for the error.
        package: its distribution.

    Raises:
        PluginError: the block raised any exception.
        KeyboardInterrupt: the user pressed Ctrl-C during the block.
    """
    with _interrupts_noted() as interrupted, _printing_to_stderr():
        try:
            yield
        except PluginError:
            raise
        except BaseException as error:
            if interrupted:
                raise
            raise PluginError(
                f"{words}: cannot be imported",
                f"{type(error).__name__}: {_text(error)}",
                "a package that imports here",
                f"fix the package, reinstall it, or run pip uninstall {package}",
            ) from error


@contextmanager
def _interrupts_noted() -> Iterator[list[int]]:
    """Collect the Ctrl-C signals that arrive during the block, and still raise them as usual."""
    noted: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield noted
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _printing_to_stderr() -> Iterator[None]:
    """Redirect standard output to standard error, even if a library writes to its descriptor, and
    restore both, even if a library closes or replaces them."""
    kept: dict[int, int] = {}
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        # Either stream may be closed already, or None.
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
        with suppress(OSError):
            kept[number] = os.dup(number)
    said = os.dup(kept[2]) if 2 in kept else os.open(os.devnull, os.O_WRONLY)
    if 1 in kept:
        os.dup2(said, 1)
    try:
        with (
            os.fdopen(said, "w", errors="backslashreplace") as stream,
            redirect_stdout(stream),
            redirect_stderr(stream),
        ):
            yield
    finally:
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)


def _text(error: BaseException) -> str:
    try:
        return str(error)
    # The exception may be of a class that the plug-in defines.
    except BaseException:
        return "(no text)"


Group = Literal["families", "agents", "backends"]
GROUPS: tuple[Group, ...] = ("families", "agents", "backends")
_T = TypeVar("_T")

_NAMES: Mapping[Group, tuple[re.Pattern[str], str]] = {
    # Views are called `<layer>.<family>_<what>`.
    "families": (re.compile(r"[a-z][a-z0-9]{1,39}"), "2 to 40 lower-case letters and digits"),
    "agents": (re.compile(r"[a-z][a-z0-9-]{1,39}"), "2 to 40 lower-case letters, digits, hyphens"),
    "backends": (
        re.compile(r"[a-z][a-z0-9-]{1,39}"),
        "2 to 40 lower-case letters, digits, hyphens",
    ),
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point.

    Args:
        name: of the family, agent or backend.
        package, version: the distribution that brings it.
        module: the package that is imported: its folders ``sql``, ``sections`` and ``sweeps`` too.
    """

    group: Group
    name: str
    package: str
    version: str
    module: str
    _point: EntryPoint

    @property
    def words(self) -> str:
        """The package and entry point of the plug-in, as readable text."""
        point = one_printable_line(f"{self._point.name} = {self._point.value}", 200)
        return (
            f"package {self.package} {self.version}, entry point mirror_ray.{self.group}: {point}"
        )

    def load(self) -> Any:
        """Return what the entry point names. Raise PluginError if it cannot be imported."""
        with as_plugin(self.words, self.package):
            return self._point.load()


@cache
def installed(group: Group) -> Mapping[str, Plugin]:
    """Return a group's plug-ins by name, without importing them."""
    found: dict[str, Plugin] = {}
    for point in sorted(entry_points(group=f"mirror_ray.{group}"), key=lambda one: one.value):
        plugin = _plugin(group, point)
        if plugin is not None:
            found.setdefault(plugin.name, plugin)
    return found


def _plugin(group: Group, point: EntryPoint) -> Plugin | None:
    try:
        module = point.module.partition(".")[0]
        package = point.dist.name if point.dist else None
        version = point.dist.version if point.dist else None
    # importlib.metadata may raise many types: KeyError, AttributeError, OSError.
    except Exception:
        return None
    texts = [one_printable_line(str(one or "?"), 200) for one in (package, version)]
    return Plugin(group, point.name, texts[0], texts[1], module, point)


class Extended(Mapping[str, _T], Generic[_T]):
    """A mapping of this package's entries and those of plug-ins, which are imported on first use.

    Iteration yields only usable entries: plug-ins that cannot be imported, or whose name is taken
    or invalid, are left out. Looking up such a name raises.

    Args:
        own: this package's entries.
        of: turns the object of an entry point into an entry; raises PluginError if it is unfit.
    """

    def __init__(
        self, group: Group, own: Mapping[str, _T], of: Callable[[Plugin, Any], _T]
    ) -> None:
        self._group, self._own, self._of = group, own, of
        self._loaded: dict[str, _T] = {}
        self._unfit: dict[str, PluginError] = {}

    def __getitem__(self, name: str) -> _T:
        """Raise KeyError if the name is unknown, PluginError if its plug-in is unfit."""
        if name in self._own:
            return self._own[name]
        if name in self._unfit:
            raise self._unfit[name]
        if name not in self._loaded:
            plugin = installed(self._group)[name]
            try:
                _require_name(plugin, self._own)
                loaded = plugin.load()
                with as_plugin(plugin.words, plugin.package):
                    self._loaded[name] = self._of(plugin, loaded)
            except PluginError as error:
                # A plug-in that failed is not imported again, which may take long and print.
                self._unfit[name] = error
                raise
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in installed(self._group)

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        for name in sorted(installed(self._group).keys() - self._own.keys()):
            try:
                self[name]
            except PluginError:
                continue
            yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the entry, or the default if the name is unknown or its plug-in unfit."""
        try:
            return self[name]
        except (KeyError, PluginError):
            return default

    def require_one(self, name: str) -> None:
        """Raise PluginError if a plug-in has a name of this package."""
        if name in self._own and (plugin := installed(self._group).get(name)):
            _require_name(plugin, self._own)


def _require_name(plugin: Plugin, taken: Mapping[str, Any]) -> None:
    pattern, allowed = _NAMES[plugin.group]
    if plugin.name in taken:
        raise PluginError(
            f"{plugin.words}: its name is taken",
            repr(plugin.name),
            f"a name other than {', '.join(taken)}",
            f"rename it, or pip uninstall {plugin.package}",
        )
    if pattern.fullmatch(plugin.name) is None:
        raise PluginError(f"{plugin.words}: invalid name", repr(plugin.name), allowed, "rename it")


def used(names: Mapping[Group, set[str]]) -> dict[str, str]:
    """Return ``family NAME`` → ``PACKAGE VERSION`` for the plug-ins among the names, for
    manifests."""
    return {
        f"{group} {name}": f"{plugin.package} {plugin.version}"
        for group, some in sorted(names.items())
        for name, plugin in sorted(installed(group).items())
        if name in some
    }
