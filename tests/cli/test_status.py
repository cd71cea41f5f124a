"""What `status` says of a run, at the widths that terminals have."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest
import yaml
from rich.cells import cell_len
from rich.console import Console

from mirror_ray.cli import main, status
from mirror_ray.cli.status import show_status, watch
from mirror_ray.cli.status_counts import Status, read_status
from mirror_ray.cli.status_table import status_rows, status_table
from mirror_ray.core.terminal import Terminal
from mirror_ray.core.types import Attempt, Reply
from mirror_ray.engine.driver.cost_forecast import ModelCosts
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.entry import Entry, write_entry
from mirror_ray.records.lock import Lock
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_log import RunLog
from mirror_ray.records.run_state import RunState
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.records.so_far import presumed_so_far
from support.crowded_run import crowded_run
from support.recorded_run import plan_for, record_run
from support.shard_rows import rows_of

FULL = tuple(yaml.safe_load(Path("sweeps/full.yaml").read_text())["models"])
ACTION = json.dumps({"reasoning": "x", "action": "turn_left", "identified_color": "unknown"})
REFUSED = Attempt("now", 0.1, "rate_limit", "slow down", 0.0)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """E1's three episodes have no price, one of E2's stops for lack of money."""
    out = tmp_path_factory.mktemp("status") / "run"
    plan = plan_for(out, conditions=("E1", "E2"))
    stopped = next(spec.episode_id for spec in plan.episodes if spec.cell.condition == "E2")
    unpriced = {spec.episode_id for spec in plan.episodes if spec.cell.condition == "E1"}

    def says(request):
        if request.episode_id == stopped and request.ask_index == 2:
            return Reply("", error_kind="budget", error="spent", cost_usd=0.0, attempts=0)
        if request.episode_id in unpriced:
            # Of an earlier release's rows such an ask cost nothing.
            return Reply(ACTION, failed_attempts=(REFUSED,), attempts=2)
        return Reply(ACTION, cost_usd=0.25)

    record_run(plan, says)
    return out


def test_unpaid_is_neither_failed_nor_unplayed_and_unknown_costs_are_null(run, capsys):
    assert main(["status", str(run), "--json"]) == 3
    e1, e2 = json.loads(capsys.readouterr().out)
    assert [e1[key] for key in ("done", "failed", "unpaid", "cost_usd", "spent_usd")] == [
        *(3, 0, 0),
        *(None, None),
    ]
    assert e1["n_unpriced"] == e1["asks"] > 0
    assert [e2[key] for key in ("done", "failed", "unpaid", "n_unpriced")] == [2, 0, 1, 0]
    assert e2["cost_usd"] == pytest.approx(0.25 * e2["asks"])
    assert {e1["state"], e2["state"]} == {"stopped"}


def test_asks_and_money_are_those_of_unfinished_episodes_too(run, tmp_path, capsys):
    out = tmp_path / "run"
    copytree(run, out)
    stopped = next(row for row in rows_of(out, "episodes") if row["error_kind"] == "budget")

    def asks_and_money():
        assert main(["status", str(out), "--json"]) == 3
        row = json.loads(capsys.readouterr().out)[-1]
        return row["asks"], row["spent_usd"], row["n_unpriced"]

    asks, spent_usd, n_unpriced = asks_and_money()
    journal = Journal(str(out / "journal.sqlite"))
    # The same asks again, as of an episode that goes on, and two more, one of unknown price; then
    # one that an interruption kept from being asked.
    costs_usd = [0.25] * stopped["n_asks"] + [None]
    replies = [Reply(ACTION, cost_usd=usd) for usd in costs_usd]
    replies.append(Reply("", error_kind="internal", error="stopped", cost_usd=0.0, attempts=0))
    for ask_index, reply in enumerate(replies, 1):
        entry = write_entry(Entry(stopped["episode_id"], ask_index, "words", None, {}, reply))
        journal.commit([lambda it, entry=entry, usd=reply.cost_usd: it.add(entry, usd)])
    journal.close()
    more_usd = sum(usd or 0.0 for usd in costs_usd)
    assert asks_and_money() == (asks + 2, pytest.approx(spent_usd + more_usd), n_unpriced + 1)


def test_a_person_reads_at_least_and_unpaid(run, capsys):
    assert main(["status", str(run)]) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "Spent at least $" in said
    assert "requests of unknown price)" in said
    assert "5 of 6 episodes done, 0 with an error, 1 unpaid, 0 to play; 1 run so far" in said
    assert "Bought no reading" in said


def test_a_look_at_a_large_run_refers_to_its_report(run, capsys, monkeypatch):
    monkeypatch.setattr(status, "MOST_ASKS_READ", 5)
    main(["status", str(run)])
    said = capsys.readouterr().out
    assert "Bought no reading" not in said
    assert "More than 5 requests: mirror-ray report shows" in said


def wide(models) -> Status:
    """Nine conditions of three families, with money and failures."""
    cells = [(f"family{n // 3}", f"condition{n}") for n in range(9)]
    rows = [
        (*cell, model, 1_000, 900, n % 2, 12_345, None, 12.5, n % 3, n % 2)
        for n, model in enumerate(models)
        for cell in cells
    ]
    costs = {
        model: ModelCosts(1_234.5, 0.0, 5_000.0, 9_999.0, unpriced=n % 2)
        for n, model in enumerate(models)
    }
    return rows, costs


def table_of(rows, costs, width):
    return status_table(rows, costs, width, status_rows(rows, {}, (), every=True))


@pytest.mark.parametrize("width", [60, 80, 100, 160])
@pytest.mark.parametrize("models", [FULL, tuple(f"p/{'x' * 90}{n}{'y' * 90}" for n in range(40))])
def test_models_can_be_told_apart_at_any_width_and_no_column_is_empty(models, width):
    screen = StringIO()
    rows, costs = wide(models)
    Console(file=screen, width=width).print(table_of(rows, costs, width))
    head, *lines = screen.getvalue().splitlines()
    assert max(map(cell_len, (head, *lines))) <= width
    assert len({line.partition("  ")[0] for line in lines}) == len(models) == len(lines)
    assert all("/3,000" in line or "/9,000" in line for line in lines)
    assert "spent" in head
    assert "≥$1,234.50" in screen.getvalue()


def test_conditions_stand_side_by_side_where_there_is_room():
    rows, costs = wide(FULL)
    few = [row for row in rows if row[0] == "family0"]
    texts = {}
    for width in (60, 160):
        screen = StringIO()
        Console(file=screen, width=width).print(table_of(few, costs, width))
        texts[width] = screen.getvalue().splitlines()[0]
    assert "condition0  condition1  condition2" in texts[160]
    assert "done" in texts[60]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> str:
    return crowded_run(tmp_path_factory.mktemp("crowd") / "run", 1_000)


@pytest.mark.thorough("the other groups here")
def test_a_thousand_models_are_read_by_group_and_by_what_stands_out(crowd, capsys):
    assert main(["status", crowd]) == 3
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert len(lines) < 60
    assert "groups of 1,000" in lines
    assert [line.split("  ")[0] for line in lines if line.startswith("Lab")] == [
        f"Lab {lab}, {limits}"
        for limits in ("500 rpm", "limits unknown")
        for lab in ("a", "b", "c", "d", "e")
    ]
    at = lines.index("trouble: 10 of 15")
    # The first of those that failed, the first of those whose money was spent.
    assert [line.split()[0].rsplit("-")[-1] for line in lines[at + 1 : at + 11]] == [
        *("001", "011", "002", "012", "003", "013", "004", "014", "005", "015")
    ]
    least_far = lines.index("least far")
    assert all("0/1" in line for line in lines[least_far + 1 : least_far + 11])
    assert "1,000 models, by lab, family and limits: --all lists each." in lines


@pytest.mark.thorough("cli/test_status.py, of few models")
def test_all_rows_of_a_thousand_models_are_there_for_who_asks(crowd, capsys):
    assert main(["status", crowd, "--all"]) == 3
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("mock/")]
    assert len(rows) == 1_000
    assert main(["status", crowd, "--json"]) == 3
    assert len(json.loads(capsys.readouterr().out)) == 1_000


def test_a_dead_server_stands_out_of_a_thousand():
    models = [f"lab/m-{n}" for n in range(1_000)]
    rows, _ = wide(models)
    odd = {"lab/m-3": {"lab": 3, "limits": "\x1b[2J"}}
    shown = status_rows(rows, odd, ["lab/m-7"], every=False)
    (first, *_) = [row for row in shown if row.section.startswith("trouble: ")]
    assert first.models == ("lab/m-7",)
    assert {row.label for row in shown if row.section.startswith("groups")} == {
        "lab, limits unknown"
    }


@pytest.mark.parametrize(
    ("counts", "state", "exit_code"),
    [
        # done, failed, unpaid, settled, of 10
        ((10, 0, 0, 0), RunState("finished"), 0),
        ((7, 0, 0, 3), RunState("finished"), 0),
        ((8, 2, 0, 0), RunState("finished"), 1),
        ((5, 1, 0, 0), RunState("running"), 5),
        ((5, 1, 0, 0), RunState("stopped", why="interrupted"), 5),
        ((0, 0, 0, 0), RunState("killed"), 5),
        ((5, 0, 2, 0), RunState("stopped"), 3),
        ((5, 0, 2, 0), RunState("running"), 5),
        ((5, 0, 0, 0), RunState("stopped", why="out of budget"), 3),
    ],
)
def test_the_exit_code_says_what_is_left(counts, state, exit_code):
    done, failed, unpaid, settled = counts
    row = ("selfid", "E1", "a/b", 10, done, failed, 0, 0.0, 0.0, unpaid, 0, settled)
    assert Status("x", [row], {}, None, state, 1, {}, {}).exit_code == exit_code


def test_watching_ends_with_the_run(run):
    lock = Lock(run / LOCK_NAME, what="it")
    RunLog(run).note("started", started_at="2026-05-01T10:00:00+00:00", pid=1, host="box")
    screen = StringIO()
    shown = Terminal(screen)
    pauses = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            lock.close()

    def show() -> Status:
        found = read_status(str(run), read_manifest(str(run)))
        show_status(found, shown)
        return found

    assert watch(show, shown, pause) == 3
    assert len(pauses) == 2
    said = screen.getvalue()
    assert said.count("running, since") == 2
    assert said.count("killed") == 1
    assert replace(show().state, state="running").process == "process 1 on box"


def test_a_script_waits_for_the_end_and_reads_it_once(run, monkeypatch, capsys):
    lock = Lock(run / LOCK_NAME, what="it")
    RunLog(run).note("started", started_at="2026-05-01T10:00:00+00:00", pid=1, host="box")
    monkeypatch.setattr(watch, "__defaults__", (lambda _: lock.close(),))
    assert main(["status", str(run), "--watch", "--json"]) == 3
    rows = json.loads(capsys.readouterr().out)
    assert {row["state"] for row in rows} == {"killed"}


def test_what_lost_calls_may_have_cost_is_said(run, tmp_path, capsys):
    out = tmp_path / "run"
    copytree(run, out)
    capsys.readouterr()
    main(["status", str(out)])
    assert "may have gone" not in capsys.readouterr().out
    journal = Journal(str(out / "journal.sqlite"))
    call = PendingCall("a", 1, "killed", "cell", 0.125)
    journal.commit([lambda it: it.charges.begin([call])])
    journal.close()
    main(["status", str(out)])
    said = " ".join(capsys.readouterr().out.split())
    assert "Up to $0.12 more, at the known prices, may have gone to calls whose replies" in said
    main(["status", str(out), "--json"])
    assert {row["run_presumed_usd"] for row in json.loads(capsys.readouterr().out)} == {0.125}
    # While it runs, the reply may come yet.
    assert presumed_so_far(str(out), is_running=True) == 0.0
