"""The Recorder's journal as the Limiter's ledger: each account is told what its cells spent."""

from typing import Any

import pytest

from mirror_ray.core.identity import Cell
from mirror_ray.engine.limiter import ledger
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, cell_scope, model_scope
from mirror_ray.engine.limiter.ledger import RecorderLedger
from mirror_ray.records.journal.charges import ChargeTotals, PendingCall
from support.engine.virtual_time import run_virtually

ALONE = Cell("selfid", "E1", (("subject", "a"),), 0.2, "paper")
PAIR = Cell("selfid", "E2", (("subject", "a"), ("judge", "b")), 0.2, "paper")
PENDING = PendingCall("episode", 3, "asker", PAIR.cell_id, at_most_usd=4.0)
TOTALS = ChargeTotals(
    spent_usd={ALONE.cell_id: 1.0, PAIR.cell_id: 2.0, "of an earlier plan": 8.0, None: 16.0},
    presumed_usd={PAIR.cell_id: 0.5},
    pending=[PENDING],
)


class Method:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    async def remote(self, *_: object) -> object:
        return self.answer


class Recorder:
    sums = Method(TOTALS)
    highest_usd = Method({"b": 0.25})


def test_each_account_is_told_what_its_cells_have_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder: dict[str, Any] = {"recorder": Recorder()}
    monkeypatch.setattr(ledger, "get_actor", recorder.__getitem__)

    async def scenario(_: object) -> None:
        spent = await RecorderLedger("recorder", [ALONE, PAIR]).spent()
        assert spent.usd == {
            SWEEP_SCOPE: 27.0,
            model_scope("a"): 3.0,
            model_scope("b"): 2.0,
            cell_scope(ALONE.cell_id): 1.0,
            cell_scope(PAIR.cell_id): 2.0,
        }
        assert spent.presumed_usd == dict.fromkeys(
            [SWEEP_SCOPE, model_scope("a"), model_scope("b"), cell_scope(PAIR.cell_id)], 0.5
        )
        (inherited,) = spent.inherited
        assert inherited.pending == PENDING
        assert set(inherited.scopes) == set(spent.presumed_usd)
        assert spent.highest_usd == {"b": 0.25}

    run_virtually(scenario)
