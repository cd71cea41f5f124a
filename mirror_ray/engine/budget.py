"""The purses: what is spent, what calls under way may still cost, and whether one more fits.

One purse each for the sweep, for every model and for every cell; a call pays into several at once.
Knows sums and scopes; does not know prices, models' limits or who waits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

SWEEP_SCOPE = "sweep"
_MODEL, _CELL = "model:", "cell:"

_UNITS_PER_USD = 10**12
"""Sums are whole pico-dollars: exact, so that 0.1 fits three times into 0.3, and returns to 0."""


def scopes_of(model: str, cell_id: str) -> tuple[str, str, str]:
    """The purses that pay for a call, the widest first."""
    return (SWEEP_SCOPE, model_scope(model), cell_scope(cell_id))


def model_scope(model: str) -> str:
    """The purse of a model."""
    return f"{_MODEL}{model}"


def cell_scope(cell_id: str) -> str:
    """The purse of a cell."""
    return f"{_CELL}{cell_id}"


def budget_spent(scope: str) -> str:
    """What to tell a person whose call `scope` cannot pay for: whose budget it is, and what to do.

    Raises:
        ValueError: not a scope.
    """
    whose = "the sweep" if scope == SWEEP_SCOPE else f"the {scope.replace(':', ' ', 1)}"
    return (
        f"{whose}'s budget is spent: what is left might not pay for one more call;"
        f" raise {key_of(scope)} and run the same command to go on"
    )


def key_of(scope: str) -> str:
    """The key of a sweep file that sets this scope's ceiling.

    Raises:
        ValueError: not a scope.
    """
    if scope == SWEEP_SCOPE:
        return "budget_usd"
    for prefix, key in ((_MODEL, "budget_per_model_usd"), (_CELL, "budget_per_cell_usd")):
        if scope.startswith(prefix):
            return key
    raise ValueError(f"not a scope: {scope!r}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a call may go.

    Args:
        answer: it fits now; may fit once calls under way turn out cheaper; or never will.
        scope: the purse that stands in its way; None when it fits.
    """

    answer: Literal["fits", "wait", "never"]
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class PurseStats:
    """One purse, in USD.

    Args:
        ceiling_usd: None for no ceiling.
        spent_usd: known costs, those of earlier runs included.
        presumed_usd: worst cases of calls whose cost never became known: they count, to be safe.
        reserved_usd: worst cases of the calls under way.
    """

    ceiling_usd: float | None
    spent_usd: float
    presumed_usd: float
    reserved_usd: float


@dataclass(slots=True)
class _Purse:
    ceiling: int | None
    spent: int = 0
    presumed: int = 0
    reserved: int = 0

    def answer(self, worst: int | None) -> Literal["fits", "wait", "never"]:
        if self.ceiling is None:
            return "fits"
        left = self.ceiling - self.spent - self.presumed
        if worst is None:
            return "fits" if left > 0 else "never"
        if worst == 0 or worst <= left - self.reserved:
            return "fits"
        return "wait" if worst <= left else "never"


@dataclass(frozen=True, slots=True)
class _Reservation:
    worst: int
    scopes: tuple[str, ...]


class Budget:
    """Ceilings that are kept whatever the calls under way turn out to cost.

    Args:
        ceilings: scope → ceiling in USD; a scope without one is only counted.
        spent: scope → known costs of earlier runs, in USD; `presumed`: the most that unknown ones
            may have come to.
    """

    def __init__(
        self,
        ceilings: Mapping[str, float] = MappingProxyType({}),
        spent: Mapping[str, float] = MappingProxyType({}),
        presumed: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._purses = {scope: _Purse(_units(usd)) for scope, usd in ceilings.items()}
        self._reservations: dict[int, _Reservation] = {}
        for scope, usd in spent.items():
            self._purse(scope).spent += _units(usd)
        for scope, usd in presumed.items():
            self._purse(scope).presumed += _units(usd)

    def verdict(self, worst_case_usd: float | None, scopes: Sequence[str]) -> Verdict:
        """Whether a call fits into all its purses.

        A free call always fits. An unknown worst case (None) fits until a ceiling is reached:
        there is nothing to reserve. Where several purses refuse, the one that refuses for good
        is told, the first of them in the order of `scopes`.
        """
        worst = None if worst_case_usd is None else _units(worst_case_usd)
        waits_for = None
        for scope in scopes:
            purse = self._purses.get(scope)
            answer = "fits" if purse is None else purse.answer(worst)
            if answer == "never":
                return Verdict("never", scope)
            if answer == "wait" and waits_for is None:
                waits_for = scope
        return Verdict("fits") if waits_for is None else Verdict("wait", waits_for)

    def reserve(self, grant_id: int, worst_case_usd: float | None, scopes: Sequence[str]) -> None:
        """Set a call's worst case aside in all its purses."""
        worst = _units(worst_case_usd or 0.0)
        self._reservations[grant_id] = _Reservation(worst, tuple(scopes))
        for scope in scopes:
            self._purse(scope).reserved += worst

    def settle(self, grant_id: int, cost_usd: float | None) -> None:
        """Replace a call's worst case by its cost, or presume it where the cost stays unknown."""
        reservation = self._reservations.pop(grant_id)
        for scope in reservation.scopes:
            purse = self._purse(scope)
            purse.reserved -= reservation.worst
            if cost_usd is None:
                purse.presumed += reservation.worst
            else:
                purse.spent += _units(cost_usd)

    def correct(self, worst_case_usd: float | None, cost_usd: float, scopes: Sequence[str]) -> None:
        """A cost that had been presumed has become known after all."""
        for scope in scopes:
            purse = self._purse(scope)
            purse.presumed -= _units(worst_case_usd or 0.0)
            purse.spent += _units(cost_usd)

    def stats(self) -> Mapping[str, PurseStats]:
        """Scope → its purse, for every scope that has a ceiling or has paid."""
        return {scope: _told(purse) for scope, purse in self._purses.items()}

    def purse(self, scope: str) -> PurseStats:
        """One scope's purse; empty where nothing is known of it."""
        return _told(self._purses.get(scope, _Purse(None)))

    def _purse(self, scope: str) -> _Purse:
        return self._purses.setdefault(scope, _Purse(None))


def _told(purse: _Purse) -> PurseStats:
    return PurseStats(
        ceiling_usd=None if purse.ceiling is None else _usd(purse.ceiling),
        spent_usd=_usd(purse.spent),
        presumed_usd=_usd(purse.presumed),
        reserved_usd=_usd(purse.reserved),
    )


def _units(usd: float) -> int:
    return round(usd * _UNITS_PER_USD)


def _usd(units: int) -> float:
    return units / _UNITS_PER_USD
