"""What happens before a run's first ask; what is said is short, however many models it has."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import duckdb
import pytest
import yaml

from mirror_ray.api.playing import _warn_of_unknown_prices, play
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import Terminal
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.stages import presume


@pytest.fixture
def thousand(tmp_path: Path) -> Plan:
    """A thousand models under a thousand keys, none of which is set, at unknown prices."""
    entry = {
        "target": "hosted_vllm/m-{0001..1000}",
        "base_url": "http://127.0.0.1:9/v1",
        "api_key_env": "LAB_KEY_{0001..1000}",
    }
    catalogue = tmp_path / "models.yaml"
    catalogue.write_text(yaml.safe_dump({"models": {"lab/m-{0001..1000}": entry}}))
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(
        yaml.safe_dump(
            {
                "name": "many",
                "models": ["lab/*"],
                "catalogue": str(catalogue),
                "stages": [{"family": "flipset", "conditions": ["L2"], "seeds": 1}],
                "budget_usd": 5,
                "out": str(tmp_path / "run"),
            }
        )
    )
    return load_plan(str(sweep))


def test_a_thousand_keys_that_are_not_set_are_named_by_the_first(thousand: Plan) -> None:
    with pytest.raises(SweepError) as caught:
        play(thousand, console=Terminal(StringIO()), plain=True)
    said = str(caught.value)
    assert "LAB_KEY_0010 and 990 more" in said
    assert "export LAB_KEY_0001=…; export LAB_KEY_0002=…" in said
    assert "LAB_KEY_0011" not in said
    assert len(said) < 1_000


def test_a_thousand_unknown_prices_are_a_line(
    thousand: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    file = StringIO()
    _warn_of_unknown_prices(thousand, Terminal(file))
    (line,) = file.getvalue().splitlines()
    assert "lab/m-0010 and 990 more: unknown prices" in line
    assert "lab/m-0011" not in line


def test_the_views_are_there_before_the_first_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = load_plan("quickstart", ["models=scripted/blind"], str(tmp_path / "run"))

    def interrupted(plan: Plan, *, begun: Callable[[str], object], **_: object) -> None:
        with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
            run_dir.describe("by hand", {"versions": {}, "cpu": None, "gl": None})
            begun(run_dir.out)
        raise KeyboardInterrupt

    monkeypatch.setattr("mirror_ray.engine.driver.run.play_plan", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play(plan, console=Terminal(StringIO()), plain=True)
    with duckdb.connect() as connection:
        monkeypatch.chdir(tmp_path / "run")
        connection.execute(Path("views.sql").read_text())
        assert connection.execute("from metric.selfid").fetchall() == []


def test_what_is_wrong_with_a_later_stage_is_said_before_the_first(tmp_path: Path) -> None:
    stories = {"family": "textmirror", "conditions": ["story"], "temperature": [0.5]}
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(
        yaml.safe_dump(
            {
                "name": "overlapping",
                "models": ["scripted/ornate", "scripted/careless"],
                "stages": [
                    {**stories, "seeds": 2},
                    {**stories, "conditions": ["revision"], "seeds": 2},
                    {**stories, "seeds": 1},
                ],
                "budget_usd": 1,
                "out": str(tmp_path / "run"),
            }
        )
    )
    plan = load_plan(str(sweep))
    assert plan.begun == 1
    for check in (
        lambda: play(plan, console=Terminal(StringIO()), plain=True),
        lambda: presume(plan),
    ):
        with pytest.raises(SweepError, match="each episode in one stage only") as caught:
            check()
        assert "stages.2" in caught.value.where
    assert not (tmp_path / "run").exists()
