"""What a terminal shows of a run, at the widths that terminals have."""

import re
from io import StringIO
from pathlib import Path

import pytest
import yaml
from rich.cells import cell_len
from rich.console import Console

from mirror_ray.core.terminal import Terminal
from mirror_ray.core.types import Attempt, Reply
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.fitted_table import fitted_names
from mirror_ray.engine.driver.model_groups import traits_of
from mirror_ray.engine.driver.progress import Progress, headline, live_view
from mirror_ray.engine.limiter.budget import AccountStats
from mirror_ray.engine.limiter.circuit_breaker import Unreachable
from mirror_ray.engine.limiter.messages import KeyStats, LimiterStats
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.sweep.ranges import Range

FULL = tuple(yaml.safe_load(Path("sweeps/full.yaml").read_text())["models"])
ALIKE = tuple(f"provider/{'very-long-' * 12}{n}{'-instruct' * 12}" for n in range(60))
WIDE = tuple(f"模型/{'猫' * 70}{n}" for n in range(12))
WIDTHS = (60, 80, 100, 160)

REFUSED = Attempt("now", 0.1, "rate_limit", "slow down", 0.0)


@pytest.mark.parametrize("models", [FULL, ALIKE, WIDE, ("a/x", "b/x", "x", "猫\u202e", "猫�")])
@pytest.mark.parametrize("cells", [8, 12, 20, 60])
def test_fitted_names_differ_and_fit(models, cells):
    fitted = fitted_names(models, cells)
    assert list(fitted) == list(models)
    assert len(set(fitted.values())) == len(models)
    assert max(map(cell_len, fitted.values())) <= cells


def busy(models) -> RunCounters:
    """Every column has something: failures, retries, unknown prices, a dead server, a budget."""
    counters = RunCounters(
        dict.fromkeys(models, 1_134),
        dict.fromkeys(models, 106),
        {models[0]: 2},
        limit_key_of=dict.fromkeys(models, "key"),
    )
    for number, model in enumerate(models):
        counted = ModelCounters(calls=12_345, waiting=36)
        usd = None if number % 2 else 1.25
        counted.count(Reply("x", cost_usd=usd, failed_attempts=(REFUSED,), latency_s=2.0))
        counted.count(Reply("", error_kind="timeout", error="too slow"))
        counted.count_retry(Reply("", error_kind="rate_limit", error="slow down"))
        counters.provider_read("provider", {model: counted})
    counters.episode_ended(models[1], "budget", "spent")
    idle = KeyStats(0, 0, 5, 3, 7.0, 60.0, 60.0)
    accounts = {
        "sweep": AccountStats(500.0, 2.0, 0.0, 1.0),
        **{f"model:{model}": AccountStats(40.0, 2.0, 0.0, 1.0) for model in models},
    }
    down = {models[-1]: Unreachable("connection", 65.0, 12.0)}
    counters.limiter_read(LimiterStats(2.0, 0.0, 1.0, {"key": idle}, accounts, {}, down))
    counters.news()
    return counters


def drawn(counters: RunCounters, width: int, height: int = 200) -> list[str]:
    screen = StringIO()
    Console(file=screen, width=width).print(live_view(counters, width, height))
    return screen.getvalue().splitlines()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("models", [FULL, ALIKE, WIDE])
def test_every_model_has_a_line_of_its_own_and_every_column_has_something(models, width):
    lines = drawn(busy(models), width)
    assert max(map(cell_len, lines)) <= width
    assert " episodes · " in lines[1]
    head = next(i for i, line in enumerate(lines) if line.startswith("model"))
    rows = lines[head + 1 : head + 1 + len(models)]
    assert all("/1,134" in row for row in rows)
    assert len({row.partition("  ")[0] for row in rows}) == len(models)
    if models is not WIDE:  # whose letters take two cells each
        ends = [found.end() for found in re.finditer(r"\S+(?: \S+)*", lines[head])][1:]
        # Figures end where their title ends.
        assert all(any(row[end - 1 : end].strip() for row in rows) for end in ends)
    assert "spent" in lines[head]
    assert "unreachable since" in " ".join(lines)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_held_up_is_named_apart_from_all_others(width):
    """One of two models of a name, the other of which is not held up."""
    models = ("lab-a/one-name", "lab-b/one-name")
    counters = RunCounters(dict.fromkeys(models, 9), {}, {}, limit_key_of={models[0]: "key"})
    down = {models[0]: Unreachable("connection", 65.0, 12.0)}
    counters.limiter_read(LimiterStats(2.0, 0.0, 1.0, {}, {}, {}, down))
    (note,) = [line for line in drawn(counters, width) if "unreachable since" in line]
    assert note.startswith("lab-a/one-name: ")


@pytest.mark.parametrize("width", [60, 80])
def test_a_name_is_as_long_below_the_table_as_in_it(width):
    lines = drawn(busy(FULL[:5]), width)
    row, note = [line for line in lines if line.startswith("gemma-4-26b-a4b-it:nitro")]
    assert "/1,134" in row
    assert "paused" in note or "unreachable" in note


def test_a_total_is_shown_once_one_can_be_told():
    (head,) = [line for line in drawn(busy(FULL), 160) if line.startswith("model")]
    assert "in all" not in head


def test_a_dead_server_retries_and_unknown_prices_are_seen():
    text = " ".join(drawn(busy(FULL), 160))
    assert "(connection), next try in 12 s, 36 waiting" in text
    assert "tried again: rate_limit ×8 · errors: timeout ×8" in text
    assert "at least $5.00 (12 requests of unknown price) of $500.00" in text
    # A model of which no price is known has spent an unknown amount, not nothing.
    assert "$0.00" not in text


def test_a_stopping_run_says_what_it_waits_for_and_promises_no_end():
    counters = busy(FULL)
    counters.stopping = True
    said = headline(counters).plain
    assert "stopping: 3 replies due" in said
    assert "left" not in said
    assert "1 unpaid" in said


def test_a_run_that_is_over_promises_no_end_and_waits_for_nothing(monkeypatch):
    monkeypatch.setattr(RunCounters, "left_s", Range(60.0, 90.0, 180.0))
    counters = busy(FULL)
    assert "1–3 min left, done by " in headline(counters).plain
    counters.stopping = True
    assert not {"left", "stopping"} & set(headline(counters, is_over=True).plain.split())
    counters.stopping = False
    file = StringIO()
    Progress(counters, Terminal(file), plain=True).end()
    assert "left" not in file.getvalue()


CROWD = tuple(f"{lab}/m-{n}" for n in range(100) for lab in "abcdefghij")


def crowd() -> RunCounters:
    """A thousand models of ten labs: those of a are far, some failed, half of them are dead."""
    entries = {
        model: {"lab": f"Lab {model[0]}", "limits": {"rpm": 500 if model[0] < "f" else 1_000}}
        for model in CROWD
    }
    counters = RunCounters(
        dict.fromkeys(CROWD, 10),
        {model: 9 if model[0] == "a" else 1 for model in CROWD},
        {f"b/m-{n}": n + 1 for n in range(3)},
        limit_key_of=dict.fromkeys(CROWD, "key"),
        traits={model: traits_of(model, entry) for model, entry in entries.items()},
    )
    for number, model in enumerate(CROWD):
        counted = ModelCounters(calls=12_345, waiting=36)
        counted.count(Reply("x", cost_usd=1.25, failed_attempts=(REFUSED,), latency_s=2.0))
        counted.count(Reply("", error_kind="timeout", error="too slow"))
        counted.count_retry(Reply("", error_kind="rate_limit", error="slow down"))
        counters.provider_read(f"provider {number}", {model: counted})
    down = {model: Unreachable("connection", 65.0, 12.0) for model in CROWD[500:]}
    idle = KeyStats(0, 0, 5, 3, 7.0, 60.0, 60.0)
    counters.limiter_read(LimiterStats(2.0, 0.0, 1.0, {"key": idle}, {}, {}, down))
    counters.news()
    return counters


@pytest.mark.parametrize("height", [24, 40, 80])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_thousand_models_stay_within_the_terminal(width, height):
    lines = [line.rstrip() for line in drawn(crowd(), width, height)]
    assert max(map(cell_len, lines)) <= width
    # The cursor stands on the last line.
    assert len(lines) < height
    text = "\n".join(lines)
    assert all(title in text for title in ("groups of 1,000", "trouble: ", "furthest", "least far"))
    assert "models held up" in text
    groups = lines[lines.index("groups of 1,000") + 1 : next(
        place for place, line in enumerate(lines) if line.startswith("trouble: ")
    )]  # fmt: skip
    # Each model is in one group.
    assert sum(int(line.split("/")[-1].replace(",", "").split()[0]) for line in groups) == 10_000
    if height == 80:
        assert [line.split("  ")[0] for line in groups][:2] == ["Lab a, 500 rpm", "Lab b, 500 rpm"]
        furthest = lines.index("furthest")
        first = [line.split()[0].split("-")[-1] for line in lines[furthest + 1 : furthest + 11]]
        assert first == [f"{n}" for n in range(10)]
        # Of each kind of trouble the worst: the dead are many more than those that failed.
        worst = next(place for place, line in enumerate(lines) if line.startswith("trouble: "))
        assert any("m-2 " in line for line in lines[worst + 1 : worst + 4])


def test_few_models_beyond_the_height_leave_room_for_what_stands_out():
    counters = busy(ALIKE[:30])
    lines = drawn(counters, 100, height=24)
    rows = [line for line in lines if "/1,134" in line and not line.startswith(" ")]
    assert len(lines) < 24
    assert f"… and {30 - len(rows)} more models: mirror-ray status" in lines
    assert any("unreachable since" in line for line in lines)


def test_the_terminal_may_go_away():
    class Gone(StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    progress = Progress(busy(FULL), Terminal(Gone()), plain=True)
    with progress.shown():
        progress.refresh()
    progress.end()


def test_in_a_log_file_what_is_said_at_once_is_one_line(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    file = StringIO()
    progress = Progress(busy(FULL), Terminal(file), plain=True)
    progress.end()
    last = file.getvalue().splitlines()[-1]
    assert last.startswith("848/9,072 episodes · ")
    assert " so far" in last
