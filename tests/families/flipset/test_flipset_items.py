"""The strings, their options and their orders, against the sets that the source prints."""

from collections import Counter

import pytest

from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.families.flipset.items import CLASSES, ITEMS, QUARTER_ITEMS, generated_items
from mirror_ray.families.flipset.options import OPTION_KINDS, option_set
from mirror_ray.families.flipset.trials import FULL_LAYOUTS, LAYOUTS, list_episodes, trial_of
from sim_assets.turning import turned

PRINTED_TURNS = {
    "81": "18",
    "89": "68",
    "168": "891",
    "d": "p",
    "q": "b",
    "dd": "pp",
    "do": "op",
    "nod": "pou",
    "pond": "puod",
    "W819": "618M",
}


def spec(condition: str, scene_seed: int, **axes: Scalar) -> EpisodeSpec:
    cell = Cell("flipset", condition, (("subject", "m"),), None, "paper", tuple(axes.items()))
    return EpisodeSpec(cell, scene_seed, 0)


@pytest.mark.parametrize(("text", "correct"), PRINTED_TURNS.items())
def test_the_printed_strings_turn_as_printed(text: str, correct: str) -> None:
    assert turned(text, 180) == correct
    assert turned(correct, 180) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("81", ("18", "81", "78", "87")),
        ("q", ("b", "q", "p", "d")),
        ("nod", ("pou", "nod", "uop", "don")),
    ],
)
def test_the_printed_option_sets(text: str, printed: tuple[str, ...]) -> None:
    assert tuple(option_set(text).text(kind) for kind in OPTION_KINDS) == printed


def test_classes_have_the_sources_sizes_and_strings() -> None:
    sizes = {name: len(texts) for name, texts in CLASSES.items()}
    assert list(sizes.values()) == [2, 2, 4, 4, 2, 4, 6, 2, 2]
    texts = [item.text for item in ITEMS]
    assert len(set(texts)) == 28
    assert set(PRINTED_TURNS) <= set(texts)


@pytest.mark.parametrize("text", ["69", "pod", "88", "sos", "o"])
def test_a_string_that_reads_the_same_from_both_sides_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="four distinct"):
        option_set(text)


@pytest.mark.parametrize("text", ["cat", "7", "E"])
def test_what_has_no_turned_shape_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a text when turned"):
        option_set(text)


@pytest.mark.parametrize("length", [5, 6, 8])
def test_generated_strings(length: int) -> None:
    items = generated_items(length)
    texts = [item.text for item in items]
    assert {len(text) for text in texts} == {length}
    assert len(set(texts) | {item.options.correct for item in items}) == 2 * len(ITEMS)


@pytest.mark.parametrize("angle_deg", [90, 270])
def test_four_quarter_turns_come_back(angle_deg: int) -> None:
    for item in QUARTER_ITEMS[angle_deg]:
        text = item.text
        assert turned(item.options.correct, angle_deg) == item.options.random
        for _ in range(4):
            text = turned(text, angle_deg)
        assert text == item.text
        assert item.options.confusable == turned(item.text, 360 - angle_deg)


def test_the_twelve_layouts_put_egocentric_before_random() -> None:
    assert len(set(LAYOUTS)) == 12
    assert len(set(FULL_LAYOUTS)) == 24
    at = [Counter(layout[place] for layout in LAYOUTS)["egocentric"] for place in range(4)]
    assert at == [6, 4, 2, 0]


@pytest.mark.parametrize("layouts", [12, 24])
def test_scene_seeds_name_every_string_in_every_layout_once(layouts: int) -> None:
    trials = [trial_of(spec("L2", seed, layouts=layouts)) for seed in range(28 * layouts)]
    assert len({(trial.text, trial.layout) for trial in trials}) == 28 * layouts
    first = trials[:28]
    assert {trial.text for trial in first} == {item.text for item in ITEMS}
    counts = Counter(trial.layout for trial in first).values()
    assert max(counts) - min(counts) <= 1


def test_conditions_of_a_scene_share_card_and_layout() -> None:
    for seed in range(40):
        level_2, tom, rotation = (trial_of(spec(name, seed)) for name in ("L2", "ToM", "MR"))
        assert level_2.text == tom.text == rotation.text
        assert level_2.layout == tom.layout == rotation.layout
        assert level_2.options == rotation.options
        assert level_2.gold == tom.gold
        assert (level_2.monkey_deg, rotation.monkey_deg) == (180, 180)


def test_the_visibility_control_is_balanced() -> None:
    trials = [trial_of(spec("L1", seed)) for seed in range(24)]
    cells = Counter((trial.screen, trial.options[0]) for trial in trials)
    assert set(cells.values()) == {6}
    assert set(Counter(trial.text for trial in trials).values()) == {2}
    for trial in trials:
        right = trial.options["AB".index(trial.gold)]
        assert right == ("No" if trial.screen == "between" else "Yes")


@pytest.mark.parametrize(
    ("condition", "seed", "axes", "key"),
    [
        ("L2", 336, {}, "seeds"),
        ("L1", 24, {}, "seeds"),
        ("MR", 48, {"angle_deg": 90}, "seeds"),
        ("L2", 0, {"angle_deg": 270, "strings": "length-5"}, "strings"),
        ("L2", 0, {"angle_deg": 270, "scene": "upright"}, "scene"),
    ],
)
def test_what_the_design_has_not_is_an_error_before_anything_is_asked(
    condition: str, seed: int, axes: dict[str, Scalar], key: str
) -> None:
    shape = Shape((seed,), 1, ("m",), {}, "sweep.yaml: stages.0")
    with pytest.raises(SweepError) as refused:
        list(list_episodes(spec(condition, 0, **axes).cell, shape, None))
    assert refused.value.where == f"sweep.yaml: stages.0.{key}"


def test_every_scene_and_run_is_listed() -> None:
    shape = Shape(range(24), 2, ("m",), {}, "")
    episodes = list(list_episodes(spec("L1", 0).cell, shape, None))
    assert [(one.scene_seed, one.run) for one in episodes[:3]] == [(0, 0), (0, 1), (1, 0)]
    assert len({one.episode_id for one in episodes}) == 48
