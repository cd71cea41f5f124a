"""Reading sweep files: every wrong file gets one message that names file and key."""

from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.sweep import file
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.notify import EVENTS
from mirror_ray.sweep.source_file import read_sweep_file

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
    keys = read_sweep_file(sweep_file, []).keys
    assert keys.out == keys.model_dump(mode="json")["out"] == "runs/small"


def test_a_family_axis_is_kept_beside_the_stage_keys(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, []).keys
    assert keys.stages[0].model_extra == {"history": [0, 1]}
    assert keys.model_dump(mode="json")["stages"][0]["history"] == [0, 1]


def test_a_scalar_is_a_list_of_one(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["stages.0.temperature=0.7", "models=a/b"]).keys
    assert keys.stages[0].temperature == [0.7]
    assert keys.model_dump(mode="json")["models"] == ["a/b"]


def test_overrides_reach_into_stages(sweep_file: Path) -> None:
    keys = read_sweep_file(
        sweep_file, ["stages.0.runs=7", "models=[openai/gpt-5.1]", "engine.in_flight=4"]
    ).keys
    assert keys.stages[0].runs == 7
    assert keys.models == ["openai/gpt-5.1"]
    assert keys.engine.in_flight == 4


@pytest.mark.parametrize(
    ("override", "named", "allowed"),
    [
        ("modles=[a]", "modles", "models"),
        ("engine.simulator=2", "engine.simulator", "simulators"),
        ("stages.0.seeds=-1", "stages.0.seeds", "from 1"),
        ("stages.0.runs=0", "stages.0.runs", "from 1"),
        ("stages.0.runs=two", "stages.0.runs", "whole number from 1"),
        ("stages.0.conditions=[]", "stages.0.conditions", "names of conditions"),
        ("stages.0.conditions=[1]", "stages.0.conditions", "names of conditions"),
        ("stages=[]", "stages", "a list of stages"),
        ("models=[]", "models", "names of models"),
        ("budget_usd=0", "budget_usd", "more than 0"),
        ("stages.0.temperature=[3]", "stages.0.temperature", "from 0 to 2"),
        ("name=a/b", "name", "letters, digits"),
        ("engine.in_flight=true", "engine.in_flight", "whole number from 1"),
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
    sweep_file.write_text(GOOD.replace("models: [scripted/observer]\n", ""))
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [])
    assert "models" in caught.value.where
    assert "required" in caught.value.allowed
    assert caught.value.got == "nothing"


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
    assert read_sweep_file(sweep_file, [f"out='{value}'"]).keys.out == resolved


def test_an_interpolation_alone_keeps_its_type(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["stages.0.runs=${.seeds}"]).keys
    assert keys.stages[0].runs == 2


@pytest.mark.parametrize(
    "key", ["budget_per_model_usd[a/b-1.5]", "[budget_per_model_usd][a/b-1.5]"]
)
def test_a_key_with_dots_stands_between_brackets(sweep_file: Path, key: str) -> None:
    assert read_sweep_file(sweep_file, [f"{key}=5"]).keys.budget_per_model_usd == {"a/b-1.5": 5.0}


def test_an_override_makes_the_maps_on_its_way(sweep_file: Path) -> None:
    keys = read_sweep_file(
        sweep_file, ["budget_per_model_usd=5", "budget_per_model_usd.a/b=3"]
    ).keys
    assert keys.budget_per_model_usd == {"a/b": 3.0}


def test_an_override_of_an_alias_changes_one_place(sweep_file: Path) -> None:
    text = GOOD.replace("- family", "- &first\n    family").replace("out:", "  - *first\nout:")
    sweep_file.write_text(text)
    keys = read_sweep_file(sweep_file, ["stages.1.seeds=[7]"]).keys
    assert [stage.seeds for stage in keys.stages] == [2, [7]]


def test_an_error_is_one_printable_line_each(sweep_file: Path) -> None:
    sweep_file.write_text(GOOD.replace("seeds: 2", f"seeds: '{'x' * 100_000}'"))
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [])
    assert len(str(caught.value)) < 2_000
    # The place, the line, its mark, and three parts.
    assert str(caught.value).count("\n") == 5


def test_a_budget_for_each_model_may_be_one_number(sweep_file: Path) -> None:
    keys = read_sweep_file(sweep_file, ["budget_per_model_usd=5"]).keys
    assert keys.budget_per_model_usd == {"*": 5.0}
    assert keys.model_dump(mode="json")["budget_per_model_usd"] == {"*": 5.0}


@pytest.mark.parametrize(
    ("override", "named", "allowed"),
    [
        ("budget_usd=.inf", "budget_usd", "finite"),
        ("budget_per_cell_usd=0", "budget_per_cell_usd", "more than 0"),
        ("budget_per_model_usd=-1", "budget_per_model_usd", "more than 0"),
        ("budget_per_model_usd={a/b: 0}", "budget_per_model_usd", "more than 0"),
        ("budget_per_model_usd={a/b: dear}", "budget_per_model_usd", "US dollars"),
        ("budget_per_model_usd=[1, 2]", "budget_per_model_usd", "US dollars"),
        ("stages.0.weight=0", "stages.0.weight", "above 0"),
        ("budget_per_modell_usd=1", "budget_per_modell_usd", "budget_per_model_usd"),
    ],
)
def test_no_budget_that_could_pay_for_nothing_or_anything(
    sweep_file: Path, override: str, named: str, allowed: str
) -> None:
    with pytest.raises(SweepError) as caught:
        read_sweep_file(sweep_file, [override])
    assert named in caught.value.where
    assert allowed in caught.value.allowed + caught.value.fix


def test_a_minimal_sweep_is_models_and_stages(tmp_path: Path) -> None:
    path = tmp_path / "my first sweep.yaml"
    path.write_text("models: a/b\nstages:\n- {family: selfid, conditions: E1, seeds: 1}\n")
    keys = read_sweep_file(path, []).keys
    assert (keys.name, keys.out) == ("my-first-sweep", "runs/my-first-sweep")


SHARED = """
models: [scripted/observer]
runs: 3
conditions: [E1]
max_steps: 4
stages:
  - {family: selfid, seeds: 1}
  - {family: selfid, seeds: 1, runs: 2}
  - {family: flipset, seeds: 1, conditions: [occluded]}
"""


def test_a_stages_key_at_the_top_applies_to_every_stage_that_has_it(tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(SHARED)
    file = read_sweep_file(path, [])
    assert [stage.runs for stage in file.keys.stages] == [3, 2, 3]
    assert [stage.conditions for stage in file.keys.stages] == [["E1"], ["E1"], ["occluded"]]
    assert [(stage.model_extra or {}).get("max_steps") for stage in file.keys.stages] == [
        4,
        4,
        None,
    ]
    assert "max_steps: 4 in stages 0, 1; flipset (stage 2) has no max_steps" in file.applied


def test_a_shared_key_on_the_command_line_wins_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(SHARED)
    file = read_sweep_file(path, ["runs=5", "stages.0.runs=9"])
    assert [stage.runs for stage in file.keys.stages] == [9, 5, 5]
    assert "runs: 5 in stages 1, 2" in file.applied


def test_a_key_that_no_stage_has_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(SHARED.replace("max_steps", "max_step"))
    with pytest.raises(SweepError, match="max_steps") as caught:
        read_sweep_file(path, [])
    assert f"{path}:5:1: max_step" in str(caught.value)


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


def test_every_key_is_described_by_what_it_allows_and_a_valid_example() -> None:
    described = shipped_yaml("mirror_ray.sweep", "keys.yaml")
    schemas = {one.__name__: one for one in vars(file).values() if isinstance(one, type)}
    for name, words in described.items():
        schema = schemas[name]
        assert words.keys() == schema.model_fields.keys()
        required = {key for key, field in schema.model_fields.items() if field.is_required()}
        for key in words:
            given = {one: read_yaml(words[one][1]) for one in (*required, key)}
            assert schema.model_validate(given)
    assert ", ".join(EVENTS) in described["NotifyKeys"]["on"][0]
