"""The plug-ins that a sweep uses: their sweep files, and their recorded versions."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from mirror_ray.core.errors import SweepError
from mirror_ray.core.plugins import GROUPS, installed, used
from mirror_ray.providers.model import Model
from mirror_ray.sweep.plan import Plan, Stage

KEY = "plugins"


def plugins_of(
    wanted: Mapping[str, str], stages: Sequence[Stage], models: Mapping[str, Model], where: str
) -> dict[str, str]:
    """Return ``families NAME`` → ``PACKAGE VERSION`` of all plug-ins that the sweep uses. Raise
    SweepError if its file requires a version that is not installed, or an unused plug-in."""
    found = used(
        {
            "families": {stage.family for stage in stages},
            "agents": {one.target for one in models.values() if one.backend == "scripted"},
            "backends": {one.plugin for one in models.values() if one.plugin is not None},
        }
    )
    for name, version in wanted.items():
        if found.get(name) != version:
            raise SweepError(
                f"{where}: {KEY}.{name}",
                repr(version),
                found.get(name, "nothing: the sweep uses no such plug-in"),
                "install that version, or remove the key and use another --out",
            )
    return found


def modules_of(plan: Plan) -> tuple[str, ...]:
    """Return the packages of the plug-ins that a plan uses, which every host imports."""
    recorded = plan.sweep.resolved.get(KEY, {})
    found = (
        installed(group)[name.partition(" ")[2]].module
        for group in GROUPS
        for name in recorded
        if name.startswith(f"{group} ")
    )
    return tuple(sorted(set(found)))


def require_installed(wanted: Mapping[str, str], where: str) -> None:
    """Refuse, with a SweepError, a recorded sweep whose plug-in is not installed."""
    for name, package in wanted.items():
        group, _, plugin = name.partition(" ")
        if group not in GROUPS or plugin not in installed(group):
            raise SweepError(
                f"{where}: {KEY}.{name}",
                f"{package}, which is not installed here",
                "an installed package that has it; its rows can be read without: mirror-ray sql",
                f"pip install {package.replace(' ', '==')}",
            )


def sweeps_of_plugins() -> dict[str, Path]:
    """Return ``PACKAGE/NAME`` → the file in a plug-in's folder ``sweeps``, without importing it."""
    roots: dict[Path, str] = {}
    for plugin in (one for group in GROUPS for one in installed(group).values()):
        try:
            spec = find_spec(plugin.module)
        # Not the name of a module, or of a partly imported one.
        except (ImportError, ValueError):
            continue
        for place in (spec.submodule_search_locations or ()) if spec else ():
            roots[Path(place) / "sweeps"] = plugin.module
    return {
        f"{module}/{found.stem}": found
        for root, module in roots.items()
        for found in sorted(root.glob("*.yaml"))
    }
