"""Prompt sets: named by a sweep, validated, part of a cell's identity and of the manifest."""

from pathlib import Path

import pytest

from mirror_ray.contract.family import advance
from mirror_ray.contract.prompt_texts import Texts, default_texts, filled
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.types import Ask
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.recorded import recorded_stages

SWEEP = """\
models: [scripted/contingency-tester]
stages:
  - family: contingency
    conditions: [match]
    seeds: 2
    prompts: {prompts}
"""
OTHER = "task:\n  question: Who of the three is you?\n"


def plan(folder: Path, prompts: str) -> Plan:
    sweep = folder / "sweep.yaml"
    sweep.write_text(SWEEP.format(prompts=prompts))
    return load_plan(str(sweep), out=str(folder / "run"))


def first_prompt(plan: Plan, variant: str) -> str:
    spec = next(one for one in plan.episodes if one.cell.variant_label == variant)
    ask = advance(FAMILIES["contingency"].play(spec, spec.rng()))
    assert isinstance(ask, Ask)
    return ask.user


def test_sets_are_an_axis_and_the_own_set_keeps_its_identity(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(f"source: a test\n{OTHER}")
    made = plan(tmp_path, "[default, other.yaml]")
    plain = plan(tmp_path, "default")
    own, other = made.cells
    assert own.cell_id == plain.cells[0].cell_id
    assert other.variant_label.startswith("plain+prompts=other-")
    assert other.cell_id != own.cell_id
    assert first_prompt(made, "plain").endswith("Which screen shows you?")
    assert first_prompt(made, other.variant_label).endswith("Who of the three is you?")


def test_a_folder_and_a_file_with_the_same_texts_differ_in_name_alone(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(OTHER)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "task.yaml").write_text("question: Who of the three is you?\n")
    file, folder = (plan(tmp_path, one).cells[0] for one in ("other.yaml", "folder"))
    assert file.variant_label == folder.variant_label.replace("folder", "other")
    assert file.prompts == folder.prompts


def test_another_text_is_another_cell(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(OTHER)
    first = plan(tmp_path, "other.yaml").cells[0]
    (tmp_path / "other.yaml").write_text(OTHER.replace("Who", "Which"))
    assert plan(tmp_path, "other.yaml").cells[0].cell_id != first.cell_id


def test_the_resolved_sweep_needs_no_file(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(OTHER)
    made = plan(tmp_path, "[default, other.yaml]")
    (tmp_path / "other.yaml").unlink()
    resolved = made.sweep.resolved
    manifest = {"sweep": resolved, "runs": []}
    (stage,) = recorded_stages("run", manifest)
    assert stage.cells == made.cells
    assert [cell.prompts for cell in stage.cells] == [cell.prompts for cell in made.cells]
    name = made.cells[1].variant_label.partition("=")[2]
    resolved["stages"][0]["prompt_sets"][name]["task.question"] = "Something else?"
    with pytest.raises(MirrorRayError, match="another hash"):
        recorded_stages("run", manifest)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("task: {question: 'a {b}'}", r"a text with \{b\}"),
        ("task: {hand: 'x'}", r"a text without \{offset\}"),
        ("task: {quetsion: x}", "does not have"),
        ("task: {question: 5}", "quote a text"),
        ("task: {question: '${oc.env:HOME}'}", "without"),
        ("task: {question: Which screen shows you?}", "no text that differs"),
        ("nothing", "no keys"),
        ("task: {question: !!python/object:os.system x}", "tag"),
        ('task: {question: "a\\x1b[31m"}', "cannot be printed"),
        ("task: {question: '" + "x" * 20_001 + "'}", "20,001 characters"),
        ("task: {question: x, question: y}", "a second time"),
    ],
)
def test_a_set_that_does_not_fit_is_refused_with_file_and_key(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "other.yaml").write_text(text)
    with pytest.raises(MirrorRayError, match=said) as refused:
        plan(tmp_path, "other.yaml")
    assert "other.yaml" in str(refused.value)
    assert "stages.0.prompts" in str(refused.value)


@pytest.mark.parametrize(
    "prompts", ["[]", "5", "missing.yaml", "../../../dev/zero", "'a b.yaml'", "[default, default]"]
)
def test_names_that_are_no_sets_are_refused(tmp_path: Path, prompts: str) -> None:
    (tmp_path / "a b.yaml").write_text(OTHER)
    with pytest.raises(MirrorRayError, match=r"stages\.0\.prompts"):
        plan(tmp_path, prompts)


def test_values_are_not_filled_again() -> None:
    assert filled("{a} {b}", a="{b}", b=1) == "{b} 1"
    assert Texts({"k": 'a {"json": {x}}'})("k", x=2) == 'a {"json": 2}'


def test_every_family_has_prompts() -> None:
    assert all(default_texts(name).by_key for name in FAMILIES)
