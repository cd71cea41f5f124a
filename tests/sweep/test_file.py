"""Reading sweep files: every wrong file gets one message that names file and key."""

from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.file import read_sweep_file
from mirror_ray.sweep.load import load_plan

GOOD = """
name: small
models: [scripted/observer]
stages:
  - family: selfid
    conditions: [E1, E3]
    seeds: 2
    runs: 2
    temperature: [0.2]
    history: [0, 1]
out: runs/${name}
"""


@pytest.fixture
def sweep_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(GOOD)
    return path


def test_interpolations_are_resolved(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, [])
    assert keys.out == keys.model_dump(mode="json")["out"] == "runs/small"


def test_a_family_axis_is_kept_beside_the_stage_keys(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, [])
    assert keys.stages[0].model_extra == {"history": [0, 1]}
    assert keys.model_dump(mode="json")["stages"][0]["history"] == [0, 1]


def test_a_scalar_is_a_list_of_one(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["stages.0.temperature=0.7", "models=a/b"])
    assert keys.stages[0].temperature == [0.7]
    assert keys.model_dump(mode="json")["models"] == ["a/b"]


def test_overrides_reach_into_stages(sweep_file: Path) -> None:
    keys = read_sweep_file(
        sweep_file, ["stages.0.runs=7", "models=[openai/gpt-5.1]", "engine.in_flight=4"]
    )
    assert keys.stages[0].runs == 7
    assert keys.models == ["openai/gpt-5.1"]
    assert keys.engine.in_flight == 4


@pytest.mark.parametrize(
    ("override", "named", "allowed"),
    [
        ("modles=[a]", "modles", "models"),
        ("engine.simulator=2", "engine.simulator", "simulators"),
        ("stages.0.seeds=-1", "stages.0.seeds", "greater than or equal to 1"),
        ("stages.0.runs=0", "stages.0.runs", "greater than or equal to 1"),
        ("stages.0.runs=two", "stages.0.runs", "valid integer"),
        ("stages.0.conditions=[]", "stages.0.conditions", "at least 1 item"),
        ("stages.0.conditions=[1]", "stages.0.conditions", "valid string"),
        ("stages=[]", "stages", "at least 1 item"),
        ("models=[]", "models", "at least 1 item"),
        ("budget_usd=0", "budget_usd", "greater than 0"),
        ("stages.0.temperature=[3]", "stages.0.temperature", "less than or equal to 2"),
        ("name=a/b", "name", "pattern"),
        ("engine.in_flight=true", "engine.in_flight", "valid integer"),
        ("stages.5.runs=1", "stages.5.runs", "path of a key"),
        ("runs", "runs", "key=value"),
        ("models=[a", "models", "YAML value"),
    ],
)
def test_a_wrong_override_is_named_with_what_is_allowed(
    sweep_file: Path, override: str, named: str, allowed: str
) -> None:
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [override])
    assert "command line" in caught.value.where
    assert named in caught.value.where
    assert allowed in caught.value.allowed + caught.value.fix


def test_a_wrong_key_in_the_file_names_the_file(sweep_file: Path) -> None:
    sweep_file.write_text(GOOD.replace("seeds: 2", "seeds: many"))
    with pytest.raises(SweepError, match=r"stages\.0\.seeds") as caught:
        read_sweep_file(sweep_file, [])
    assert str(sweep_file) in caught.value.where
    assert "'many'" in caught.value.got


def test_a_missing_key_is_named(sweep_file: Path) -> None:
    sweep_file.write_text(GOOD.replace("name: small\n", "").replace("${name}", "x"))
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [])
    assert "name" in caught.value.where
    assert "required" in caught.value.allowed


@pytest.mark.parametrize(
    "text", ["name: [unclosed", "just words", "- a\n- list", "name: ${nothing}", "\tname: tab", ""]
)
def test_no_text_gives_anything_but_a_sweep_error(sweep_file: Path, text: str) -> None:
    sweep_file.write_text(text)
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [])
    assert str(sweep_file) in caught.value.where


def test_the_environment_is_never_read_into_a_sweep(
    sweep_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-secret")
    sweep_file.write_text(GOOD.replace("runs/${name}", "runs/${oc.env:SOME_API_KEY}"))
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [])
    assert "sk-secret" not in str(caught.value)
    assert "api_key_env" in caught.value.fix


@pytest.mark.parametrize(
    ("value", "resolved"),
    [
        ("${name}", "small"),
        ("${stages.0.seeds}-${stages[0].runs}", "2-2"),
        ("${.name}/${models.0}", "small/scripted/observer"),
        ("$name {x}", "$name {x}"),
    ],
)
def test_only_the_files_own_keys_are_filled_in(sweep_file: Path, value: str, resolved: str) -> None:
    assert read_sweep_file(sweep_file, [f"out='{value}'"]).out == resolved


def test_an_interpolation_alone_keeps_its_type(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["stages.0.runs=${.seeds}"])
    assert keys.stages[0].runs == 2


@pytest.mark.parametrize(
    "key", ["budget_per_model_usd[a/b-1.5]", "[budget_per_model_usd][a/b-1.5]"]
)
def test_a_key_with_dots_stands_between_brackets(sweep_file: Path, key: str) -> None:
    assert read_sweep_file(sweep_file, [f"{key}=5"]).budget_per_model_usd == {"a/b-1.5": 5.0}


def test_an_override_makes_the_maps_on_its_way(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["budget_per_model_usd=5", "budget_per_model_usd.a/b=3"])
    assert keys.budget_per_model_usd == {"a/b": 3.0}


def test_an_override_of_an_alias_changes_one_place(sweep_file: Path) -> None:
    text = GOOD.replace("- family", "- &first\n    family").replace("out:", "  - *first\nout:")
    sweep_file.write_text(text)
    keys = read_sweep_file(sweep_file, ["stages.1.seeds=[7]"])
    assert [stage.seeds for stage in keys.stages] == [2, [7]]


def test_an_error_is_one_printable_line_each(sweep_file: Path) -> None:
    sweep_file.write_text(GOOD.replace("seeds: 2", f"seeds: '{'x' * 100_000}'"))
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [])
    assert len(str(caught.value)) < 2_000
    assert str(caught.value).count("\n") == 3


def test_a_budget_for_each_model_may_be_one_number(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["budget_per_model_usd=5"])
    assert keys.budget_per_model_usd == {"*": 5.0}
    assert keys.model_dump(mode="json")["budget_per_model_usd"] == {"*": 5.0}


@pytest.mark.parametrize(
    ("override", "named", "allowed"),
    [
        ("budget_usd=.inf", "budget_usd", "finite"),
        ("budget_per_cell_usd=0", "budget_per_cell_usd", "greater than 0"),
        ("budget_per_model_usd=-1", "budget_per_model_usd", "greater than 0"),
        ("budget_per_model_usd={a/b: 0}", "budget_per_model_usd", "greater than 0"),
        ("budget_per_model_usd={a/b: dear}", "budget_per_model_usd", "valid number"),
        ("budget_per_model_usd=[1, 2]", "budget_per_model_usd", "valid number"),
        ("stages.0.weight=0", "stages.0.weight", "greater than 0"),
        ("budget_per_modell_usd=1", "budget_per_modell_usd", "budget_per_model_usd"),
    ],
)
def test_no_budget_that_could_pay_for_nothing_or_anything(
    sweep_file: Path, override: str, named: str, allowed: str
) -> None:
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [override])
    assert named in caught.value.where
    assert allowed in caught.value.allowed


def test_a_wrong_budget_names_its_model(sweep_file: Path) -> None:
    sweep_file.write_text(GOOD + "budget_per_model_usd: {openai/gpt-5.1: -8}\n")
    with pytest.raises(SweepError, match=r"budget_per_model_usd\.openai/gpt-5\.1"):
        read_sweep_file(sweep_file, [])


def test_where_pictures_are_drawn_is_recorded() -> None:
    plain = load_plan("sweeps/quickstart.yaml").sweep
    drawn = load_plan("sweeps/quickstart.yaml", ["engine.draw_on=cpu"]).sweep
    assert (plain.engine.draw_on, drawn.engine.draw_on) == ("auto", "cpu")
    assert drawn.resolved["engine"] == {**plain.resolved["engine"], "draw_on": "cpu"}
    with pytest.raises(SweepError, match=r"engine\.draw_on"):
        load_plan("sweeps/quickstart.yaml", ["engine.draw_on=tpu"])
