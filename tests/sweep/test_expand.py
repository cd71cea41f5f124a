"""Cells and episodes: identities, order, axes, and errors for every unknown name."""

from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.shipped import find_sweep

SMALL = """
name: small
models: [scripted/observer, scripted/blind]
stages:
  - family: selfid
    conditions: [E1, E3]
    seeds: 2
    runs: 2
    temperature: [0.2]
out: runs/${name}
"""


@pytest.fixture
def sweep_file(tmp_path: Path) -> str:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL)
    return str(path)


def _ids(plan: Plan) -> list[str]:
    return [spec.episode_id for spec in plan.episodes]


def test_cells_are_the_product_and_episodes_go_scene_by_scene(sweep_file: str) -> None:
    plan = load_plan(sweep_file)
    assert len(plan.cells) == 2 * 2
    assert len(plan.episodes) == 4 * 4
    scenes = [(spec.scene_seed, spec.run) for spec in plan.episodes]
    # All four cells of a scene come before the next scene: a stopped sweep stays balanced.
    assert [len(set(scenes[i : i + 4])) for i in range(0, 16, 4)] == [1, 1, 1, 1]
    assert len(set(scenes)) == 4


def test_identities_do_not_depend_on_the_order_of_the_file(sweep_file: str) -> None:
    forward = load_plan(sweep_file)
    backward = load_plan(
        sweep_file, ["models=[scripted/blind,scripted/observer]", "stages.0.conditions=[E3,E1]"]
    )
    assert set(_ids(forward)) == set(_ids(backward))


def test_identities_are_pinned(sweep_file: str) -> None:
    # A changed identity orphans every run directory in the world: it must be on purpose.
    first = load_plan(sweep_file).episodes[0]
    assert (first.cell.cell_id, first.episode_id) == PINNED


PINNED = ("83747ba3b593735d", "43b6eab4f0b36ec5")


def test_more_seeds_keep_the_old_episodes(sweep_file: str) -> None:
    assert set(_ids(load_plan(sweep_file))) < set(_ids(load_plan(sweep_file, ["stages.0.seeds=3"])))


def test_an_axis_at_its_default_is_the_same_cell(sweep_file: str) -> None:
    assert _ids(load_plan(sweep_file)) == _ids(load_plan(sweep_file, ["stages.0.history=[1]"]))


def test_an_axis_off_its_default_is_in_identity_and_label(sweep_file: str) -> None:
    plan = load_plan(sweep_file, ["stages.0.history=[0,1]", "stages.0.fov_deg=90"])
    labels = {cell.variant_label for cell in plan.cells}
    assert labels == {"paper+fov_deg=90.0+history=0", "paper+fov_deg=90.0"}
    assert len({cell.cell_id for cell in plan.cells}) == 8


def test_globs_expand_over_the_catalogue(sweep_file: str) -> None:
    plan = load_plan(sweep_file, ["models=['scripted/*']"])
    assert {"scripted/observer", "scripted/mute"} <= set(plan.models)
    assert plan.sweep.resolved["models"] == list(plan.models)


@pytest.mark.parametrize(
    ("override", "key", "fix"),
    [
        ("models=[scripted/obsrver]", "models", "observer"),
        ("models=[nobody/x]", "models", ""),
        ("models=['nobody/*']", "models", "mirror-ray models"),
        ("stages.0.family=selfie", "stages.0.family", "selfid"),
        ("stages.0.conditions=[E1,E9]", "stages.0.conditions", "E"),
        ("stages.0.variant=[papr]", "stages.0.variant", "paper"),
        ("stages.0.hstory=[0]", "stages.0.hstory", "history"),
        ("stages.0.history=[2]", "stages.0.history", "1"),
        ("stages.0.history=[]", "stages.0.history", "at least one"),
        ("stages.0.encoding=gif", "stages.0.encoding", "png"),
        ("stages.0.fov_deg=-5", "stages.0.fov_deg", "110"),
        ("stages.0.fov_deg=wide", "stages.0.fov_deg", "110"),
        ("stages.0.image=big", "stages.0.image", "640x480"),
        ("stages.0.max_steps=0", "stages.0.max_steps", "100"),
        ("stages.0.conditions=[E1,E1]", "stages.0.conditions", "repetition"),
        ("stages.0.seeds=[1,1]", "stages.0.seeds", "repetition"),
        ("stages.0.variant=[paper,clarified]", "stages.0.variant", "give E1, E3 a stage without"),
        ("stages.0.branch_at=[0,3]", "stages.0.branch_at", "give E1, E3 a stage without"),
    ],
)
def test_unknown_names_and_values_say_what_is_allowed(
    sweep_file: str, override: str, key: str, fix: str
) -> None:
    with pytest.raises(SweepError) as caught:
        load_plan(sweep_file, [override])
    assert key in caught.value.where
    assert fix in caught.value.fix
    assert caught.value.where == f"command line: {override}"
    assert caught.value.allowed


def test_two_stages_must_not_share_an_episode(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    stage = SMALL.partition("stages:\n")[2].partition("out:")[0]
    path.write_text(SMALL.replace("out:", stage + "out:"))
    with pytest.raises(SweepError, match="overlap"):
        load_plan(str(path))


def test_an_unknown_sweep_names_the_nearest_three() -> None:
    with pytest.raises(SweepError, match=r"did you mean papers/mirrorqa or papers/mirror or \w+"):
        find_sweep("sweeps/paper/mirrorq.yaml")


def test_no_path_leads_out_of_the_shipped_sweeps() -> None:
    with pytest.raises(SweepError):
        find_sweep("sweeps/../mirror_ray/world/nothing.yaml")


LARGE = pytest.mark.thorough("the smaller sweeps of the same families")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=LARGE if path.stem in ("metacog_full", "mirror") else ())
        for path in sorted((Path(__file__).parents[2] / "sweeps").rglob("*.yaml"))
    ],
    ids=lambda path: path.stem,
)
def test_every_shipped_sweep_is_valid(path: Path) -> None:
    if path.name.endswith("models.yaml"):
        pytest.skip("a catalogue is not a sweep")
    if path.match("papers/mirrorqa.yaml"):
        # Its data set is not shipped: test_paper_sweeps plans it with one.
        with pytest.raises(SweepError, match="get it from github"):
            load_plan(str(path))
        return
    plan = load_plan(str(path))
    assert plan.episodes
    # Whoever puts hosted models into it has a ceiling already.
    is_free = all(model.usd_per_mtok_out == 0 for model in plan.models.values())
    pretended = plan.sweep.name == "scale"
    assert plan.sweep.budget_usd or (pretended and is_free)


def test_the_full_sweep_is_the_papers() -> None:
    plan = load_plan("sweeps/full.yaml")
    study = [cell for cell in plan.cells if cell.temperature == 0.2 and not cell.axes]
    played = [spec for spec in plan.episodes if spec.cell in study]
    assert (len(study), len(played), len(plan.models)) == (40, 840, 8)


def test_the_full_sweep_has_its_ablations_on_the_scenes_of_the_study() -> None:
    plan = load_plan("sweeps/full.yaml")
    # E1 and E3 at three temperatures and two history lengths, for each of eight models.
    assert len(plan.cells) == 40 + 2 * (3 + 2) * 8
    scenes = {(spec.scene_seed, spec.run) for spec in plan.episodes[:840]}
    assert {(spec.scene_seed, spec.run) for spec in plan.episodes[840:]} == scenes


def test_a_models_own_budget_counts_before_patterns_and_the_first_pattern_before_others(
    sweep_file: str,
) -> None:
    ceilings = "{'scripted/*': 2, scripted/blind: 8, '*': 3}"
    plan = load_plan(sweep_file, [f"budget_per_model_usd={ceilings}", "budget_per_cell_usd=1"])
    assert plan.sweep.budget_per_model_usd == {"scripted/observer": 2.0, "scripted/blind": 8.0}
    assert plan.sweep.budget_per_cell_usd == 1.0


def test_models_without_a_budget_of_their_own_have_none(sweep_file: str) -> None:
    assert load_plan(sweep_file).sweep.budget_per_model_usd == {}
    plan = load_plan(sweep_file, ["budget_per_model_usd={scripted/blind: 8}"])
    assert plan.sweep.budget_per_model_usd == {"scripted/blind": 8.0}


def test_a_budget_for_a_model_that_does_not_play_is_a_mistake(sweep_file: str) -> None:
    with pytest.raises(SweepError) as caught:
        load_plan(sweep_file, ["budget_per_model_usd={scripted/blint: 8}"])
    assert "budget_per_model_usd" in caught.value.where
    assert "scripted/observer" in caught.value.allowed
    assert "'scripted/blind'" in caught.value.fix


def test_a_stages_weight_is_that_of_its_cells(sweep_file: str) -> None:
    plan = load_plan(sweep_file, ["stages.0.weight=2.5"])
    assert plan.weights == {cell.cell_id: 2.5 for cell in plan.cells}


def test_the_episodes_of_all_stages_are_counted_before_any_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mirror_ray.sweep.expand.MOST_EPISODES", 10)
    text = """
name: x
models: [scripted/observer]
stages:
  - {family: selfid, conditions: [E1], seeds: 2, runs: 3}
  - {family: selfid, conditions: [E3], seeds: 1, runs: %d}
out: runs/x
"""
    path = tmp_path / "x.yaml"
    path.write_text(text % 4)
    assert len(load_plan(str(path)).episodes) == 10
    path.write_text(text % 5)
    with pytest.raises(SweepError, match=r"stages\.1\.runs") as caught:
        load_plan(str(path))
    assert "4 are left" in caught.value.allowed
