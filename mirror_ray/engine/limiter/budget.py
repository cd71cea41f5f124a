"""Budget accounts of the sweep, every model and every cell. They state which accounts pay for a
call or an episode, costs and reservations, and whether one more call fits. Several accounts pay for
a call at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from mirror_ray.core.identity import Cell
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.providers.price_tiers import is_free_of_charge
from mirror_ray.sweep.plan import Plan

SWEEP_SCOPE = "sweep"
_MODEL, _CELL = "model:", "cell:"

_UNITS_PER_USD = 10**12
"""Sums are whole pico-dollars, hence exact: 0.1 fits three times into 0.3, and sums return to 0."""


def scopes_of(model: str, cell_id: str) -> tuple[str, str, str]:
    """Return the accounts that pay for a call, the widest first."""
    return (SWEEP_SCOPE, model_scope(model), cell_scope(cell_id))


def model_scope(model: str) -> str:
    """Return the account of a model."""
    return f"{_MODEL}{model}"


def cell_scope(cell_id: str) -> str:
    """Return the account of a cell."""
    return f"{_CELL}{cell_id}"


def budget_spent(scope: str) -> str:
    """Return the message that `scope` cannot pay for a call, and how to proceed."""
    return (
        f"{_whose(scope)} budget is spent: what is left might not pay for one more call;"
        f" raise {sweep_key_of(scope)} and run the same command to resume"
    )


def too_dear(model: str, usd: float, scope: str) -> str:
    """Return the message that `scope` could pay a call's price, but not the highest cost seen so
    far."""
    return (
        f"calls of {model} have cost up to ${usd:,.4f}, more than its prices say and more than is"
        f" left of {_whose(scope)} budget; raise {sweep_key_of(scope)} and run the same command to"
        " resume"
    )


def _whose(scope: str) -> str:
    return "the sweep's" if scope == SWEEP_SCOPE else f"the {scope.replace(':', ' ', 1)}'s"


def sweep_key_of(scope: str) -> str:
    """Return the sweep key that sets this scope's ceiling. Raise ValueError if it is not a
    scope."""
    if scope == SWEEP_SCOPE:
        return "budget_usd"
    for prefix, key in ((_MODEL, "budget_per_model_usd"), (_CELL, "budget_per_cell_usd")):
        if scope.startswith(prefix):
            return key
    raise ValueError(f"not a scope: {scope!r}")


@dataclass(frozen=True, slots=True)
class BudgetVerdict:
    """Whether a call "fits" now, should "wait" because calls in flight may cost less than reserved,
    or "never" fits; and the `scope` of the account that refuses, if any."""

    answer: Literal["fits", "wait", "never"]
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class AccountStats:
    """One account, in USD.

    Args:
        spent_usd: known costs, earlier runs included.
        presumed_usd: worst cases of calls whose cost stayed unknown; they count as spent.
        reserved_usd: worst cases of the calls in flight.
    """

    ceiling_usd: float | None
    spent_usd: float
    presumed_usd: float
    reserved_usd: float


@dataclass(slots=True)
class _BudgetAccount:
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
    """Ceilings that are never exceeded, even if calls in flight cost their worst case.

    Args:
        ceilings: scope → ceiling in USD; a scope without one is only counted.
        spent, presumed: scope → known costs of earlier runs, and the most that unknown ones may be.
    """

    def __init__(
        self,
        ceilings: Mapping[str, float] = MappingProxyType({}),
        spent: Mapping[str, float] = MappingProxyType({}),
        presumed: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._accounts = {scope: _BudgetAccount(_units(usd)) for scope, usd in ceilings.items()}
        self._reservations: dict[int, _Reservation] = {}
        for scope, usd in spent.items():
            self._account(scope).spent += _units(bounded_float(usd) or 0.0)
        for scope, usd in presumed.items():
            self._account(scope).presumed += _units(bounded_float(usd) or 0.0)

    def verdict(self, worst_case_usd: float | None, scopes: Sequence[str]) -> BudgetVerdict:
        """Return whether a call fits into all its accounts.

        A free call always fits. An unknown worst case (None) fits until a ceiling is reached. If
        several accounts refuse, the result names the first that refuses for good."""
        known_usd = bounded_float(worst_case_usd)
        worst = None if known_usd is None else _units(known_usd)
        waits_for = None
        for scope in scopes:
            account = self._accounts.get(scope)
            answer = "fits" if account is None else account.answer(worst)
            if answer == "never":
                return BudgetVerdict("never", scope)
            if answer == "wait" and waits_for is None:
                waits_for = scope
        return BudgetVerdict("fits") if waits_for is None else BudgetVerdict("wait", waits_for)

    def limited(self, scopes: Sequence[str]) -> list[str]:
        """Return those of the scopes that have a ceiling."""
        found = ((scope, self._accounts.get(scope)) for scope in scopes)
        return [scope for scope, one in found if one is not None and one.ceiling is not None]

    def reserve(self, grant_id: int, worst_case_usd: float | None, scopes: Sequence[str]) -> None:
        """Reserve a call's worst case in all its accounts."""
        worst = _units(bounded_float(worst_case_usd) or 0.0)
        self._reservations[grant_id] = _Reservation(worst, tuple(scopes))
        for scope in scopes:
            self._account(scope).reserved += worst

    def set_ceiling(self, scope: str, usd: float | None) -> None:
        """Set a scope's ceiling; None removes it. A reached ceiling only stops further calls."""
        self._account(scope).ceiling = None if usd is None else _units(usd)

    def raise_to(self, worst_case_usd: float, scope: str) -> None:
        """Reserve at least this much for each call in flight that `scope` pays for."""
        worst = _units(worst_case_usd)
        for grant_id, known in self._reservations.items():
            if scope in known.scopes and known.worst < worst:
                self._reservations[grant_id] = _Reservation(worst, known.scopes)
                for paying in known.scopes:
                    self._account(paying).reserved += worst - known.worst

    def settle(self, grant_id: int, cost_usd: float | None) -> None:
        """Replace a call's reservation by its cost, or presume the worst case if that is unknown or
        invalid."""
        reservation = self._reservations.pop(grant_id)
        known_usd = bounded_float(cost_usd)
        for scope in reservation.scopes:
            account = self._account(scope)
            account.reserved -= reservation.worst
            if known_usd is None:
                account.presumed += reservation.worst
            else:
                account.spent += _units(known_usd)

    def correct(self, worst_case_usd: float | None, cost_usd: float, scopes: Sequence[str]) -> None:
        """Replace a presumed cost that has become known later; see `settle`."""
        known_usd = bounded_float(cost_usd)
        if known_usd is None:
            return
        for scope in scopes:
            account = self._account(scope)
            account.presumed -= _units(bounded_float(worst_case_usd) or 0.0)
            account.spent += _units(known_usd)

    def stats(self) -> Mapping[str, AccountStats]:
        """Return the account of every scope that has a ceiling or has paid, by scope."""
        return {scope: _stats_of(account) for scope, account in self._accounts.items()}

    def account(self, scope: str) -> AccountStats:
        """Return one scope's account; empty if nothing is known about it."""
        return _stats_of(self._accounts.get(scope, _BudgetAccount(None)))

    def _account(self, scope: str) -> _BudgetAccount:
        return self._accounts.setdefault(scope, _BudgetAccount(None))


def _stats_of(account: _BudgetAccount) -> AccountStats:
    return AccountStats(
        ceiling_usd=None if account.ceiling is None else _usd(account.ceiling),
        spent_usd=_usd(account.spent),
        presumed_usd=_usd(account.presumed),
        reserved_usd=_usd(account.reserved),
    )


def _units(usd: float) -> int:
    return round(usd * _UNITS_PER_USD)


def _usd(units: int) -> float:
    return units / _UNITS_PER_USD


def ceilings_of(plan: Plan) -> dict[str, float]:
    """Return the ceiling in USD of every scope that has one."""
    sweep = plan.sweep
    ceilings = {model_scope(name): usd for name, usd in sweep.budget_per_model_usd.items()}
    if sweep.budget_usd is not None:
        ceilings[SWEEP_SCOPE] = sweep.budget_usd
    if sweep.budget_per_cell_usd is not None:
        for cell in plan.cells:
            ceilings[cell_scope(cell.cell_id)] = sweep.budget_per_cell_usd
    return ceilings


def scopes_of_cell(cell: Cell) -> tuple[str, ...]:
    """Return the accounts that may pay for an episode of this cell, the widest first.

    A ledger does not separate a cell's roles, so each of their models is charged the whole cost,
    and no ceiling is exceeded."""
    models = dict.fromkeys(model_scope(name) for _, name in cell.models)
    return (SWEEP_SCOPE, *models, cell_scope(cell.cell_id))


def name_of(scope: str, plan: Plan) -> str:
    """Name a scope: ``the sweep``, a model's name, or a cell's columns."""
    for cell in plan.cells:
        if scope == cell_scope(cell.cell_id):
            at = "" if cell.temperature is None else f" at {cell.temperature:g}"
            return f"{cell.model}: {cell.family} {cell.condition}{at}, {cell.variant_label}"
    return "the sweep" if scope == SWEEP_SCOPE else scope.partition(":")[2]


def free_models(plan: Plan) -> frozenset[str]:
    """Return the models that certainly cost nothing, neither for calls nor for GPUs."""
    return frozenset(
        model.name
        for model in plan.models.values()
        if is_free_of_charge(model) and not model.usd_per_gpu_hour
    )
