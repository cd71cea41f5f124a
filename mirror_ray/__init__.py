"""A Ray-parallel sweep engine for mirror benchmarks of vision-language models.

The data flow, each arrow a package or a module::

    sweeps/*.yaml -plan-> cells -expand-> episodes -lease-> simulator -play-> ask <-> reply
        -record-> journal -seal-> Parquet shards -SQL-> episode scores -> metrics + CI

`sweep` plans, `families` play, `world` simulates and renders, `providers` reply, `records` keeps,
`engine` runs all of it on Ray, and the top-level package `analysis` reads the shards with DuckDB.

From Python (docs/python.md): `plan` a sweep, `run` it, `load` what was recorded. They are imported
on first use; their exceptions are those of `mirror_ray.core.errors`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mirror_ray.api.loading import RunWarning, load
    from mirror_ray.api.planning import Forecast, plan
    from mirror_ray.api.running import run
    from mirror_ray.api.runs import Runs
    from mirror_ray.api.table import Table

__all__ = ["Forecast", "RunWarning", "Runs", "Table", "load", "plan", "run"]

__version__ = "0.1.0"

_MODULE_OF = {
    **dict.fromkeys(("Forecast", "plan"), "planning"),
    **dict.fromkeys(("RunWarning", "load"), "loading"),
    "Runs": "runs",
    "run": "running",
    "Table": "table",
}


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(f"mirror_ray.api.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
