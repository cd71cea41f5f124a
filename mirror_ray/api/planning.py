"""`plan` forecasts what a sweep will use, cost and take, before anything is started or paid for."""

import os
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pyarrow as pa

from mirror_ray.api.forecasting import forecast_of
from mirror_ray.api.loading import Location
from mirror_ray.api.table import Table, html_table
from mirror_ray.engine.driver.money import usd_words
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.ranges import Range

_BILL = ("calls", "tokens_in", "tokens_image", "tokens_out", "cost_usd")


def plan(sweep: Location, *overrides: str, out: Location | None = None) -> "Forecast":
    """Return the forecast of a sweep, without starting anything or making API calls.

    Args:
        sweep: a file, or the short name of a shipped one.
        overrides: ``key=value``, as on the command line, e.g. ``"models=openai/gpt-5.1"``.
        out: the run directory, instead of the file's; its records make the forecast better.

    Raises:
        SweepError: the sweep's first problem.
        RunDirError: something in the run directory cannot be read.
    """
    run_dir = None if out is None else os.fspath(out)
    forecast = forecast_of(load_plan(os.fspath(sweep), overrides, run_dir))
    return Forecast(forecast.as_json(), forecast.refusal)


class Forecast:
    """A sweep's expected and largest use, each with its interval.

    Args:
        told: the forecast, as ``mirror-ray plan --json`` prints it.
        refusal: why `run` would refuse the run directory; None if it would not.
    """

    __slots__ = ("_told", "refusal")

    def __init__(self, told: Mapping[str, Any], refusal: str | None) -> None:
        self._told = told
        self.refusal = refusal
        """Why `run` would refuse the run directory; None if it would not."""

    @property
    def name(self) -> str:
        """The name of the sweep."""
        return str(self._told["name"])

    @property
    def out(self) -> str:
        """The run directory."""
        return str(self._told["out"])

    @property
    def episodes(self) -> int:
        """The number of episodes of the whole plan."""
        return int(self._told["episodes"])

    @property
    def cost_usd(self) -> Range:
        """The expected total cost at the known prices: see `all_costs_known`."""
        return Range(**self._told["cost_usd"])

    @property
    def all_costs_known(self) -> bool:
        """Whether every model has a price; if not, `cost_usd` is a lower bound."""
        return bool(self._told["all_costs_known"])

    @property
    def budget_usd(self) -> float | None:
        """The sweep's budget; None for none."""
        budget_usd: float | None = self._told["budget_usd"]
        return budget_usd

    @property
    def time_s(self) -> Range:
        """The expected time for the remaining episodes."""
        return Range(**self._told["time_s"]["time_s"])

    def models(self) -> Table:
        """Return one row per model: episodes, and the expected usage with its interval (``_low``,
        ``_high``); ``at_most_usd`` is the most that it can cost. Undefined is NULL."""
        return Table(pa.Table.from_pylist([_row(model) for model in self._told["models"]]))

    def as_json(self) -> dict[str, Any]:
        """Return the forecast as plain data: every cell, key and demand on the machine."""
        return dict(self._told)

    def __repr__(self) -> str:
        return f"<Forecast of {self.name}: {self._in_words()}>"

    def _repr_html_(self) -> str:
        models = self.models()
        rows = [list(row.values()) for row in models]
        about = f"{self.name}: {self._in_words()}"
        if self.refusal is not None:
            about += f" {self.out} contains another sweep: run will refuse this one."
        return html_table(models.columns, rows, len(models), about)

    def _in_words(self) -> str:
        cost, least = self.cost_usd, "" if self.all_costs_known else "at least "
        span = (
            "" if cost.low == cost.high else f" ({usd_words(cost.low)} to {usd_words(cost.high)})"
        )
        time = timedelta(seconds=round(self.time_s.expected))
        return f"{self.episodes:,} episodes, {least}{usd_words(cost.expected)}{span}, about {time}."


def _row(model: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: model[name] for name in ("model", "episodes", "ended", "basis")}
    for name in _BILL:
        figure = model["expected"][name] or {"expected": None, "low": None, "high": None}
        row |= {
            name: figure["expected"],
            f"{name}_low": figure["low"],
            f"{name}_high": figure["high"],
        }
    most = model["at_most"]["cost_usd"]
    return row | {"at_most_usd": None if most is None else most["high"]}
