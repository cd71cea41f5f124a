"""`mirror-ray plan` as a person and a script meet it; nothing is asked of anybody."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mirror_ray.cli import main
from mirror_ray.cli.show import duration
from mirror_ray.engine.driver.rough_figures import about
from mirror_ray.records.schemas import SCHEMA_VERSION

CATALOGUE = """
models:
  priced: {target: openai/gpt-4o, rpm: 60, usd_per_mtok_in: 1.0, usd_per_mtok_out: 2.0}
  unpriced-and-with-a-name-that-no-table-can-hold-in-one-line-of-eighty:
    {target: hosted_vllm/Qwen/Qwen3-VL-8B-Instruct, base_url: "http://127.0.0.1:9/v1"}
"""
SWEEP = """
name: small
catalogue: catalogue.yaml
models: [priced, unpriced-and-with-a-name-that-no-table-can-hold-in-one-line-of-eighty]
stages:
  - {family: selfid, conditions: [E1, E2], seeds: 2, temperature: [0.2], max_steps: 6}
budget_usd: 0.001
budget_per_model_usd: {priced: 0.0001}
budget_per_cell_usd: 100
out: runs/${name}
"""


@pytest.fixture
def small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """What `plan` of the small sweep prints, in this process: to import what it needs takes two
    seconds."""

    def planned(*more: str) -> str:
        _write(tmp_path)
        monkeypatch.chdir(tmp_path)
        assert main(["plan", "small.yaml", *more]) == 0
        return capsys.readouterr().out

    return planned


def _write(folder: Path) -> None:
    (folder / "catalogue.yaml").write_text(CATALOGUE)
    (folder / "small.yaml").write_text(SWEEP)


def plan(folder: Path, *more: str, **env: str) -> str:
    """As `small`, by a process of its own."""
    _write(folder)
    done = subprocess.run(
        [sys.executable, "-m", "mirror_ray", "plan", "small.yaml", *more],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **env},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "0"),
        (999.4, "999"),
        (999.6, "1.0 k"),
        (1240, "1.2 k"),
        (9_960, "10 k"),
        (999_600, "1.0 M"),
        (30_100_000, "30 M"),
        (2.5e9, "2.5 G"),
    ],
)
def test_guesses_have_two_digits(value: float, told: str) -> None:
    assert about(value) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (25.4, "25 s"), (99, "99 s"), (180, "3 min"), (7_560, "2.1 h"), (2e5, "2.3 d")],
)
def test_times_are_told_in_their_own_unit(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize(
    "columns", [80, pytest.param(160, marks=pytest.mark.thorough("at 80 columns"))]
)
def test_every_figure_is_whole_at_any_width(tmp_path: Path, columns: int) -> None:
    told = plan(tmp_path, "--details", COLUMNS=str(columns))
    assert max(map(len, told.splitlines())) <= columns
    assert "…" not in told
    assert "at least $" in told
    assert "Unknown prices: unpriced" in " ".join(told.split())
    assert "budget_usd $0.0010: too little" in told
    assert "budget_per_cell_usd $100.00" not in told
    assert "budget_per_model_usd $0.0001 for priced: too little" in " ".join(told.split())
    assert not (tmp_path / "runs").exists()


def test_settings_are_in_words_and_no_column_is_empty(
    small: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    cells = small("--details", "stages.0.history=[0,5]").partition("expected usage")[0]
    assert "paper · history 0" in cells
    assert "history=" not in cells
    assert "tokens in" in cells
    # A model has no price: a dash in each condition would say no more than that.
    assert "cost" not in cells


def test_agents_that_count_no_tokens_have_no_columns_of_them(
    small: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    told = small("--details", "models=scripted/blind", "budget_per_model_usd={}")
    use = told.partition("expected usage")[2].partition("expected cost")[0]
    assert "calls" in use
    assert "tokens" not in use
    assert "–  " not in use


@pytest.mark.parametrize(
    "sweep",
    [
        "full",
        pytest.param("metacog_full", marks=pytest.mark.thorough("full")),
        pytest.param("papers/mirror", marks=pytest.mark.thorough("full")),
    ],
)
def test_the_summary_fits_on_a_screen_whatever_the_sweep(
    sweep: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["plan", sweep]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    for heading in ("Cost ", "Time ", "Bottleneck ", "Budget "):
        assert any(line.startswith(heading) for line in lines), heading


def test_the_summary_gives_every_figure_of_the_details(small: Callable[..., str]) -> None:
    told, found = " ".join(small().split()), json.loads(small("--json"))
    priced = found["models"][0]
    assert "small: 8 episodes in 4 cells" in told
    assert "selfid E1, E2 · temperature 0.2" in told
    assert f"{priced['episodes']} {about(priced['expected']['calls']['expected'])}" in told
    assert "maximum unknown" in told
    assert "No price unpriced-and-with-a-name" in told
    assert f"Bottleneck {found['time_s']['bound_by']}" in told
    assert "Budget budget_usd $0.0010: too little" in told


def test_the_summary_names_a_cheaper_tier_only_where_one_saves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    hosted = ["plan", "quickstart", "stages.0.seeds=1", "stages.0.runs=1", "models=openai/gpt-5.1"]
    assert main(hosted) == 0
    assert "tier=flex saves $" in capsys.readouterr().out
    assert main([*hosted, "tier=flex"]) == 0
    assert "Cheaper" not in capsys.readouterr().out


def test_a_script_gets_all_of_it(small: Callable[..., str]) -> None:
    told = json.loads(small("--json"))
    priced, unpriced = told["models"]
    assert (priced["episodes"], priced["basis"]) == (4, "samples")
    # At most 6 steps, each asked twice.
    assert priced["at_most"]["calls"]["high"] == 4 * 12
    expected = priced["expected"]
    assert expected["calls"]["low"] <= expected["calls"]["expected"] <= 4 * 6
    images = expected["tokens_image"]["expected"] / expected["calls"]["expected"]
    assert images == pytest.approx(425)
    cost = (expected["tokens_in"]["expected"] + 2 * expected["tokens_out"]["expected"]) / 1e6
    assert expected["cost_usd"]["expected"] == pytest.approx(cost)
    assert told["cost_usd"]["expected"] == pytest.approx(cost)
    assert (unpriced["expected"]["cost_usd"], told["all_costs_known"]) == (None, False)
    assert told["keys"]["openai/gpt-4o"]["time_s"]["expected"] > 0
    assert told["samples"]["trouble"] is None


def test_without_graphics_all_but_drawing_is_told(tmp_path: Path) -> None:
    told = plan(
        tmp_path,
        "--details",
        MUJOCO_GL="egl",
        PYOPENGL_PLATFORM="egl",
        __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent.json",
    )
    assert "No pictures were rendered" in told
    assert "at least $" in told


def test_a_run_directory_of_another_sweep_is_said(
    tmp_path: Path, small: Callable[..., str]
) -> None:
    out = tmp_path / "runs" / "small"
    out.mkdir(parents=True)
    manifest = {"schema_version": SCHEMA_VERSION, "sweep_sha": "0" * 16, "sweep": {}, "runs": []}
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert "contains another sweep" in small()


def test_replies_that_several_episodes_follow_from_are_bought_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = ["models=[scripted/ornate,scripted/terse]", "stages.0.seeds=6"]
    assert main(["plan", "sweeps/textmirror.yaml", *size, "--out", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # 12 stories by 2 editors; these 24 revisions for 24 recognitions and 12 choices of two.
    assert found["episodes"] == 12 + 24 + 24 + 12
    assert found["episodes_saved"] == (24 + 24 + 12) - (12 + 24)
