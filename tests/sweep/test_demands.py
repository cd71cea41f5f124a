"""What a model cannot take is refused or said before anything starts."""

import json
from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.demands import structure_of, structures_in_words, withheld, withheld_in_words
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

SWEEP = """
name: demands
models: [warm, cold]
catalogue: models.yaml
stages:
  - {family: selfid, conditions: [E1], seeds: 1, temperature: [0.2]}
out: runs/demands
"""

MODELS = """
models:
  warm: {target: openai/w, base_url: "http://localhost:1/v1", sends_seed: true}
  cold: {target: openai/c, base_url: "http://localhost:1/v1", sends_seed: false,
         sends_temperature: false, sends_schema: false}
  sightless: {target: openai/s, base_url: "http://localhost:1/v1", vision: false}
"""


@pytest.fixture
def load(tmp_path: Path):
    (tmp_path / "models.yaml").write_text(MODELS)
    (tmp_path / "sweep.yaml").write_text(SWEEP)

    def load(*overrides: str) -> Plan:
        return load_plan(str(tmp_path / "sweep.yaml"), overrides)

    return load


def test_one_temperature_is_noted_and_kept_in_the_cells(load) -> None:
    plan = load()
    assert [cell.temperature for cell in plan.cells] == [0.2, 0.2]
    assert withheld(plan) == {"cold": ["temperature 0.2", "seed"]}
    assert json.loads(json.dumps(withheld(plan))) == withheld(plan)
    assert withheld_in_words(plan) == (
        "Not sent, as the catalogue says: temperature 0.2 to cold.",
        "Not sent, as the catalogue says: seed to cold.",
    )


SCHEMA = "stages.0.structured=schema"


def test_no_form_of_replies_is_asked_of_any_model_unless_named(load) -> None:
    plan = load()
    assert {structure_of(cell) for cell in plan.cells} == {"none"}
    assert structures_in_words(plan) == (
        "Replies of selfid (structured: none): no JSON schema and no JSON mode goes to any model.",
    )


@pytest.mark.parametrize("form", ["schema", "json"])
def test_a_form_that_not_all_models_take_is_refused(load, form: str) -> None:
    with pytest.raises(SweepError) as caught:
        load(f"stages.0.structured={form}")
    error = str(caught.value)
    assert "stages.0.structured" in error
    assert f"{form}, which cold cannot be sent" in error
    assert "and warm can: two protocols" in error
    assert "structured: schema_where_taken" in error
    with pytest.raises(SweepError, match="cold cannot be sent"):
        load(f"stages.0.structured=[none, {form}]", "models=[cold]")


def test_a_form_that_all_hosted_models_take_is_sent_to_all(load) -> None:
    plan = load(SCHEMA, "models=[warm, scripted/blind]")
    assert {cell.variant_label for cell in plan.cells} == {"paper+structured=schema"}
    assert structures_in_words(plan) == (
        "Replies of selfid (structured: schema): every model is held to a JSON schema.",
    )


def test_two_protocols_are_mixed_by_name_alone_and_said(load) -> None:
    plan = load("stages.0.structured=schema_where_taken")
    assert withheld(plan) == {"cold": ["temperature 0.2", "schema", "seed"]}
    (line,) = structures_in_words(plan)
    assert "two protocols, as cold take none" in line


def test_of_many_models_the_first_are_named_and_the_others_counted(load, tmp_path: Path) -> None:
    more = [
        f'  cold-{n}: {{target: openai/c, base_url: "http://localhost:1/v1", sends_schema: false}}'
        for n in range(1, 6)
    ]
    (tmp_path / "models.yaml").write_text("\n".join([MODELS.rstrip(), *more]))
    plan = load("models=[cold-*]", "stages.0.structured=schema_where_taken")
    assert len(withheld(plan)) == 5
    assert withheld_in_words(plan) == (
        "Not sent, as the catalogue says: schema to cold-1, cold-2, cold-3 and 2 more.",
    )


def test_no_temperature_asked_for_is_none_withheld(load) -> None:
    assert withheld(load("stages.0.temperature=[null]")) == {"cold": ["seed"]}


@pytest.mark.parametrize("temperatures", ["[0.2,0.7]", "[null,0.2]"])
def test_several_temperatures_would_buy_the_same_cell_again(load, temperatures: str) -> None:
    override = f"stages.0.temperature={temperatures}"
    with pytest.raises(SweepError, match="for cold, which takes no temperature") as caught:
        load(override)
    assert caught.value.where == f"command line: {override}"
    assert len(load(override, "models=[warm]").cells) == 2


def test_the_same_over_two_stages(load, tmp_path: Path) -> None:
    stage = "  - {family: selfid, conditions: [E1], seeds: [7], temperature: 0.7}\nout:"
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP.replace("out:", stage))
    with pytest.raises(SweepError, match="the same cell twice"):
        load()


def test_agents_may_be_swept_over_temperatures(load) -> None:
    plan = load("models=[scripted/mute]", "stages.0.temperature=[0,1]")
    assert len(plan.cells) == 2
    assert withheld(plan) == {}


def test_a_model_without_sight_is_refused_where_pictures_are_shown(load) -> None:
    with pytest.raises(SweepError, match="sightless in selfid E1, which shows pictures") as caught:
        load("models=[warm,sightless]")
    assert caught.value.where == "command line: models=[warm,sightless]"
    assert "vision: true" in caught.value.fix
