"""What a person reads after a run."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from rich.console import Console

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.summary import summary_rows, summary_tables
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from support.analysis.dyad_runs import varied_rooms, write_dyad_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.whole import mostly_thorough

RIGHT = Played(moments("w unknown 60", "done red 60 red"))
MUTE = Played(moments(*["w unknown 0"] * 100), model="openrouter/google/gemma-4-31b-it:nitro")


def shown(run: str, width: int = 100, *, briefly: bool = False) -> list[str]:
    console = Console(width=width, color_system=None)
    with open_run(run, hold=True) as connection, console.capture() as capture:
        for table in summary_tables(connection, width=width, briefly=briefly):
            console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    wrong = replace(RIGHT, moments=moments("w unknown 0", "w unknown 0", "done red 0 blue"))
    played = [
        *scenes(RIGHT, 4),
        *[replace(episode, run=1) for episode in scenes(wrong, 2)],
        *scenes(MUTE, 6),
        *scenes(replace(RIGHT, condition="E5", cubes=(), model="a/b"), 2),
        replace(RIGHT, condition="E5", cubes=(), model="a/b", run=3, error_kind="timeout"),
    ]
    directory = write_run(tmp_path_factory.mktemp("run"), played)
    bootstrap_run(directory, draws=300)
    return directory


def test_a_table_per_condition_in_a_hundred_columns(run: str) -> None:
    lines = shown(run)
    assert max(map(len, lines)) <= 100
    titles = [line for line in lines if line.startswith("selfid")]
    assert titles == ["selfid E1 · temperature 0.2 · paper", "selfid E5 · temperature 0.2 · paper"]
    header = next(line for line in lines if line.startswith("model"))
    assert header.split() == [
        "model", "TSA", "TTD", "MCR", "MTATO", "CAAL", "CR", "TSA-C", "MGD", "ARSC",
    ]  # fmt: skip
    assert not any("…" in line for line in lines)


def test_of_many_models_the_best_and_the_worst_are_shown_and_how_many_are_not(
    tmp_path: Path,
) -> None:
    wrong = replace(RIGHT, moments=moments("done red 0 blue"))
    played = [
        replace(RIGHT if scene < n else wrong, model=f"lab/m-{n:02d}", scene_seed=scene)
        for n in range(32)
        for scene in range(32)
    ]
    lines = shown(write_run(tmp_path, played), width=80)
    names = [line.split()[0] for line in lines if line.startswith("m-")]
    assert names == [f"m-{n}" for n in range(31, 21, -1)] + [f"m-{n:02d}" for n in range(9, -1, -1)]
    assert any(
        line.startswith("20 of 32 models, the first and the last by TSA; all are") for line in lines
    )


def test_eighty_columns_are_enough(run: str) -> None:
    lines = shown(run, width=80)
    assert max(map(len, lines)) <= 80
    observer = next(i for i, line in enumerate(lines) if line.startswith("observer"))
    assert len(lines[observer].split()) == 10
    assert lines[observer + 1].split()[2:4] == [".30", "2.0"]
    assert lines[observer + 2].split()[:2] == [".90", "3.0"]
    assert not any("…" in line for line in lines)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Five conditions, played by the models of the paper's study."""
    names = yaml.safe_load(Path("sweeps/full.yaml").read_text())["models"]
    played = [
        replace(RIGHT, model=name, condition=condition, scene_seed=scene)
        for name in names
        for condition in ("E1", "E2", "E3", "E4", "E5")
        for scene in range(2)
    ]
    return write_run(tmp_path_factory.mktemp("full"), played)


@pytest.mark.parametrize("briefly", [False, True])
@pytest.mark.parametrize("width", mostly_thorough(3, [60, 80, 100, 160]))
def test_no_name_and_no_heading_is_cut_at_any_width(full: str, width: int, briefly: bool) -> None:
    lines = shown(full, width, briefly=briefly)
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    first = next(i for i, line in enumerate(lines) if line.startswith("model"))
    names = {line.split(" ")[0] for line in lines[first:]}
    short = {"claude-sonnet-4.6", "gemini-2.5-flash", "gemini-2.5-pro", "gpt-5.1", "qwen3.6-plus"}
    short |= {"gemma-4-26b-a4b-it:nitro", "gemma-4-31b-it:nitro", "ministral-14b-2512:nitro"}
    assert short <= names
    headings = {word for line in lines if line.startswith("model") for word in line.split()[1:]}
    assert headings >= ({f"E{n}" for n in range(1, 6)} if briefly else {"TSA", "ARSC", "MTATO"})


def test_more_than_four_tables_are_one_of_the_leading_metric(full: str, run: str) -> None:
    lines = shown(full, briefly=True)
    titles = [line for line in lines if line.startswith("selfid")]
    assert titles == ["selfid TSA · temperature 0.2 · paper"]
    assert lines[-1] == "All metrics are in 5 tables: mirror-ray report, or SQL."
    assert shown(run, briefly=True) == shown(run)


def test_an_overview_heads_its_columns_with_what_differs(tmp_path: Path) -> None:
    played = [
        replace(RIGHT, temperature=temperature, condition=condition, variant=variant)
        for temperature in (0.0, 0.7)
        for condition in ("E1", "E3")
        for variant in ("paper", "paper+history=0")
    ]
    lines = shown(write_run(tmp_path, played), briefly=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("model"))
    assert [line.split() for line in lines[at - 3 : at + 1]] == [
        ["E1", "E1", "E3", "E3"],
        ["E1", "at", "0", "E1", "at", "0.7", "E3", "at", "0", "E3", "at", "0.7"],
        ["at", "0", "paper", "·", "at", "0.7", "paper", "·"] * 2,
        ["model", *["paper", "history", "0"] * 4],
    ]


def test_estimates_with_their_interval_and_chance(run: str) -> None:
    lines = shown(run)
    observer = next(i for i, line in enumerate(lines) if line.startswith("observer"))
    # TSA 4 of 6; TTD of 2 2 2 2 3 3; MCR 4 of 6; MTATO 4 of 4; nothing ever claimed before done.
    assert lines[observer].split() == [
        "observer", ".67", "2.3", ".67", "1.00", ".00", ".00", ".67", "1.3", ".00",
    ]  # fmt: skip
    assert lines[observer + 1].split()[:5] == ["scripted/", "n=6", ".30–.90", "2.0–3.0", ".30–.90"]
    assert "Chance: 1/3 for TSA, TSA-C." in lines
    # Of the open-ended condition there is none, as its answer is free text.
    assert [line for line in lines if "Chance" in line] == ["Chance: 1/3 for TSA, TSA-C."]


def test_undefined_is_a_dash_and_failures_are_told(run: str) -> None:
    lines = shown(run)
    mute = next(line for line in lines if line.startswith("gemma-4-31b-it:nitro"))
    assert mute.split()[1:] == [".00", "100", ".00", "–", ".00", ".00", "–", "0.0", ".00"]
    # Nobody changed a colour in E1, so that no column is empty.
    assert "Undefined for every model: SC." in lines
    assert "openrouter/google/" in next(line for line in lines if "openrouter" in line)
    assert "1 error" in lines


def test_rows_are_plain_data(run: str) -> None:
    with open_run(run) as connection:
        rows = summary_rows(connection)
    assert json.loads(json.dumps(rows)) == rows
    assert {row["metric"] for row in rows} == {metric.name for metric in METRICS["selfid"].metrics}
    tsa = next(r for r in rows if r["metric"] == "tsa" and r["model"] == "scripted/observer")
    assert 0 <= tsa["bca_low"] < tsa["estimate"] < tsa["bca_high"] <= 1
    assert {row["bca_low"] for row in rows if row["metric"] == "sc"} == {None}


def test_intervals_of_an_earlier_bootstrap_are_not_mixed_in(tmp_path: Path) -> None:
    directory = write_run(tmp_path, [*scenes(RIGHT, 3), replace(MUTE, model=RIGHT.model, run=1)])
    bootstrap_run(directory, draws=100)
    later = [*scenes(RIGHT, 9), replace(MUTE, model=RIGHT.model, run=1)]
    with open_run(write_run(tmp_path, later)) as connection:
        rows = summary_rows(connection)
    assert {row["bca_low"] for row in rows} == {None}


def test_an_empty_run_has_no_table(tmp_path: Path) -> None:
    with open_run(str(tmp_path)) as connection:
        assert summary_tables(connection) == []
        assert summary_rows(connection) == []


def test_n_is_the_leading_metric_s(tmp_path: Path) -> None:
    """Others rest on fewer units: nobody is misled where nobody lies."""
    lines = "\n".join(shown(write_dyad_run(tmp_path, varied_rooms())))
    assert "n=1" in lines
    assert "n=0" not in lines


def test_a_heading_wider_than_the_terminal_goes_on_in_a_line_below(tmp_path: Path) -> None:
    variant = "paper+history=0+image=crop+max_steps=14+language=de"
    lines = shown(write_run(tmp_path, [replace(RIGHT, variant=variant)]), width=60)
    assert max(map(len, lines)) <= 60
    assert "language de" in " ".join(lines)
