"""Sweeps of hostile models beside honest ones: the honest rows are those of a calm run.

Every way is a model of its own, and all of them share a Provider, a Simulator and a Recorder with
the honest models. Each is on one of the routes here: `all_hostile_ways.py` plays them on both.
"""

from collections import Counter
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import pytest
from hostile_rounds import SWEEPS, Played, play, play_round
from hostile_server import HONEST
from hostile_sweep import (
    KEYS,
    Adversary,
    adversary,
    asked_since,
    files_with_keys,
    honest_rows,
    way_of,
)
from hostile_ways import POISON

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.records.so_far import spent_so_far
from support.shard_rows import assert_same_rows, rows_of

pytestmark = pytest.mark.thorough(
    "hostile/test_hostile_replies.py, reply by reply through the same Provider"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Adversary]:
    with adversary() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def _keys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, key in KEYS.items():
            patch.setenv(name, key)
        yield


@pytest.fixture(scope="module", params=SWEEPS)
def played(
    request: pytest.FixtureRequest,
    server: Adversary,
    tmp_path_factory: pytest.TempPathFactory,
    ray_session: None,
) -> Played:
    folder = tmp_path_factory.mktemp(request.param)
    return play_round(request.param, folder, server, one_route=True)


@pytest.mark.parametrize("kind", ["steps", "episodes"])
def test_honest_rows_are_those_of_a_calm_run(played: Played, kind: str) -> None:
    assert_same_rows(honest_rows(played.out, kind), honest_rows(played.calm, kind))


def test_every_honest_call_is_bought_once(played: Played) -> None:
    honest = {model: asks for model, asks in played.asked.items() if model.startswith(HONEST)}
    assert honest == played.asked_calmly
    assert {count for asks in honest.values() for count in asks.values()} == {1}


def test_every_hostile_episode_is_scored_or_a_failed_row(played: Played) -> None:
    assert played.summary.exit_code == 1
    assert played.summary.episodes_unplayed == 0
    episodes = rows_of(played.out, "episodes")
    assert len(episodes) == played.summary.episodes_planned
    kinds = Counter(row["error_kind"] for row in episodes)
    assert "internal" not in kinds
    assert played.summary.episodes_failed == len(episodes) - kinds["none"]


def test_figures_are_finite_and_nothing_is_paid_back(played: Played) -> None:
    for kind in ("steps", "episodes"):
        for row in rows_of(played.out, kind):
            usd = row["cost_usd"]
            assert usd is None or (isfinite(usd) and usd >= 0), row["episode_id"]
    spent = spent_so_far(str(played.out))
    assert all(isfinite(usd) and usd >= 0 for usd in spent.values())
    assert isfinite(played.summary.spent_usd)


def test_no_file_of_the_run_holds_a_key(played: Played) -> None:
    assert files_with_keys(played.out) == []


def test_no_log_of_the_processes_holds_a_key(played: Played) -> None:
    from ray._private.worker import global_worker

    assert files_with_keys(Path(global_worker.node.get_logs_dir_path())) == []


def test_nobody_was_sent_elsewhere_and_honest_calls_carry_no_cookie(played: Played) -> None:
    assert played.log["gone_elsewhere"] == []
    assert played.log["strange"] == []


def test_no_reply_answers_another_ask(played: Played) -> None:
    said = [row["reply"] for row in rows_of(played.out, "steps")]
    assert not [text for text in said if text and POISON in text]


def test_what_is_shown_is_plain(played: Played) -> None:
    assert "Traceback" not in played.printed
    assert [c for c in played.printed if not (c.isprintable() or c in "\n\t")] == []


def test_a_second_run_buys_no_reply_again(played: Played, server: Adversary) -> None:
    episodes = rows_of(played.out, "episodes")
    to_play = {row["model"] for row in episodes if row["error_kind"] not in FINAL_KINDS}
    before = server.asked()
    summary, printed = play(played.sweep, played.out)
    assert summary.exit_code == 1
    assert "Traceback" not in printed
    asked = asked_since(before, server.asked())
    assert asked.keys() <= {way_of(model) for model in to_play}
    for kind in ("steps", "episodes"):
        assert_same_rows(honest_rows(played.out, kind), honest_rows(played.calm, kind))
