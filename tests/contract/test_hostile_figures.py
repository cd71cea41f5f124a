"""Replies whose figures fit nothing: they cost their own episode, and a neighbour's rows are those
of a calm run."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Reply
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.providers.model import Model
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import Entry, write_entry
from mirror_ray.records.journal.journal_tables import JOURNAL_VERSION
from mirror_ray.records.so_far import spent_so_far
from mirror_ray.sweep.plan import EngineSettings
from support.canned_server import Canned, canned_server
from support.journal_rows import rewritten
from support.loopback import Loopback
from support.plans import hosted, plan_of, scripted
from support.shard_rows import TIMINGS, assert_same_rows, rows_of, without

pytestmark = [
    pytest.mark.usefixtures("ray_session"),
    pytest.mark.thorough(
        "providers/test_odd_replies.py, engine/limiter/test_dearer_than_priced.py, figure by figure"
    ),
]

USAGE = {"prompt_tokens": 60, "completion_tokens": 10, "total_tokens": 70}
SOUND = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m-1",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}
    ],
    "usage": USAGE,
}


def billed(cost: str) -> str:
    """A cost as it stands on the wire."""
    return json.dumps({**SOUND, "usage": {**USAGE, "cost": "COST"}}).replace('"COST"', cost)


def used(**usage) -> str:
    return json.dumps({**SOUND, "usage": {**USAGE, **usage}})


HOSTILE = {
    "model-5": json.dumps({**SOUND, "model": 5}),
    "tokens-2-63": used(completion_tokens=2**63, prompt_tokens=2**70),
    "tokens-negative": used(completion_tokens=-(10**9), prompt_tokens=-5),
    "tokens-word": used(prompt_tokens="many", prompt_tokens_details={"cached_tokens": [1]}),
    "cost-nan": billed("NaN"),
    "cost-1e999": billed("1e999"),
    "cost-1e300": billed("1e300"),
    "cost-negative": billed("-1000"),
    "cost-word": billed('"free"'),
    "cost-list": billed("[[[]]]"),
    "half-a-pair": json.dumps(SOUND).replace('"ok"', '"\\ud83d"'),
    "finish-7": json.dumps(SOUND).replace('"stop"', "7"),
}


def hostile(address: str, name: str, **changes) -> Model:
    model = hosted(Loopback(0), name)
    return replace(model, base_url=f"{address}/{name}/v1", **changes)


def plan_with(out, models, **changes):
    engine = EngineSettings(simulators=1, in_flight=8, providers=1, max_attempts=1)
    return plan_of(
        out, models, conditions=("E1",), axes=(("max_steps", 3),), engine=engine, **changes
    )


def play(plan):
    return play_plan(plan, console=Console(file=StringIO()), plain=True)


def rows(out, kind, model):
    return without([row for row in rows_of(out, kind) if row["model"] == model], TIMINGS)


def test_a_neighbour_s_rows_are_those_of_a_calm_run(tmp_path, loopback):
    honest = hosted(loopback, "blind")
    calm = play(plan_with(tmp_path / "calm", [honest], seeds=3))
    assert calm.exit_code == 0
    with canned_server({name: Canned(200, body) for name, body in HOSTILE.items()}) as address:
        models = [honest, *(hostile(address, name) for name in HOSTILE)]
        shaken = play(plan_with(tmp_path / "shaken", models, seeds=3, budget_usd=5.0))
    assert shaken.exit_code in (0, 1)
    assert shaken.episodes_unplayed == 0
    for kind in ("steps", "episodes"):
        found = rows(tmp_path / "shaken", kind, honest.name)
        assert_same_rows(found, rows(tmp_path / "calm", kind, honest.name))
    episodes = rows_of(tmp_path / "shaken", "episodes")
    assert len(episodes) == 3 * len(models)
    assert {row["take"] for row in episodes} == {1}
    assert min(spent_so_far(str(tmp_path / "shaken")).values()) > 0


def poisoned(spec: EpisodeSpec, **words: str) -> tuple:
    """The first reply of an episode as an earlier release journaled it."""
    ask = next(FAMILIES[spec.cell.family].play(spec, spec.rng()))
    reply = Reply("ok", tokens_in=60, cost_usd=0.25, model_version="m", attempts=1)
    written = write_entry(Entry(spec.episode_id, 1, ask.prompt_sha, None, {}, reply))
    text = written.reply
    for old, new in words.values():
        assert old in text
        text = text.replace(old, new)
    return written._replace(reply=text)


def test_a_journal_that_holds_such_replies_is_gone_on_with(tmp_path, loopback):
    out = tmp_path / "out"
    out.mkdir()
    plan = plan_with(out, [hosted(loopback, "blind")], seeds=6)
    poison = [
        ('"model_version":"m"', '"model_version":5'),
        ('"tokens_in":60', f'"tokens_in":{2**63}'),
        ('"cost_usd":0.25', '"cost_usd":-Infinity'),
        ('"attempts":1', '"attempts":1e300'),
        ('{"text"', '{"odd":1,"txt"'),
    ]
    journal = Journal(str(out / JOURNAL_NAME))
    for spec, words in zip(plan.episodes, poison, strict=False):
        entry = poisoned(spec, words=words)
        journal.commit([lambda journal, entry=entry: journal.add(entry, 0.0)])
    journal.close()
    with rewritten(out / JOURNAL_NAME) as db:
        assert db.execute("pragma user_version").fetchone() == (JOURNAL_VERSION,)
        ids = [spec.episode_id for spec in plan.episodes]
        db.execute("insert into ledger values (?, null, -1000, 0, 0)", (ids[0],))
        db.execute("insert into ledger values (?, null, 9e999, 0, 0)", (ids[1],))
    for exit_code in (1, 1):
        summary = play(plan)
        assert (summary.exit_code, summary.episodes_unplayed) == (exit_code, 0)
        latest = {row["episode_id"]: row for row in rows_of(out, "episodes")}
        assert [latest[name]["error_kind"] for name in ids] == ["none"] * 4 + ["internal", "none"]
        assert min(spent_so_far(str(out)).values()) > 0
        first = [row for row in rows_of(out, "steps") if row["ask"] == 1]
        assert {row["episode_id"]: row["reply"] for row in first}[ids[0]] == "ok"


def test_an_episode_of_a_seed_that_no_column_takes_ends_alone(tmp_path):
    plan = plan_with(tmp_path, [scripted("blind")], seeds=2)
    (cell,) = plan.cells
    summary = play(replace(plan, episodes=(*plan.episodes, EpisodeSpec(cell, 2**63, 0))))
    assert (summary.exit_code, summary.episodes_done, summary.episodes_failed) == (1, 2, 1)
    errors = [row["error"] for row in rows_of(tmp_path, "episodes") if row["error"]]
    assert ["scene_seed" in error for error in errors] == [True]


def test_a_model_of_price_0_that_bills_buys_one_round_of_calls_and_never_another(
    tmp_path, loopback
):
    with canned_server({"dear": Canned(200, billed("1.6"))}) as address:
        dear = hostile(address, "dear", usd_per_mtok_in=0.0, usd_per_mtok_out=0.0)
        plan = plan_with(tmp_path, [dear, hosted(loopback, "blind")], seeds=20, budget_usd=2.0)
        plan = replace(plan, sweep=replace(plan.sweep, engine=EngineSettings(
            simulators=1, in_flight=4, providers=1, max_attempts=1
        )))  # fmt: skip
        summary = play(plan)
        assert summary.exit_code == 3
        spent_usd = sum(spent_so_far(str(tmp_path)).values())
        # No more calls than seats were under way when the first of them was billed.
        assert spent_usd <= 4 * 1.6 + 0.1
        assert play(plan).exit_code == 3
        assert sum(spent_so_far(str(tmp_path)).values()) == pytest.approx(spent_usd)
