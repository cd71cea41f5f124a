"""Playing a question: what is asked, what is written down, and the sim's balance."""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.mirrorqa.family import FAMILY
from mirror_ray.families.mirrorqa.sim import sim_item
from mirror_ray.families.mirrorqa.sim_design import BLOCK, design
from mirror_ray.world.studio.shots import PosingView

PUBLISHED_ROLE = (
    "You are currently a senior expert in visual reasoning.\n"
    "Given an Image, a Question, and Options, your task is to choose the correct answer.\n"
    "Note that you only need to choose one option from all options without explaining any "
    "reason.\n"
)


def spec(
    condition: str = "sim", seed: int = 0, *, variant: str = "paper", given: Any = None, **axes: Any
) -> EpisodeSpec:
    cell = Cell(
        "mirrorqa", condition, (("subject", "m"),), 0.0, variant, tuple(sorted(axes.items()))
    )
    places = {name: f"/p/{name}" for name in ("dog1.jpg", "e.jpg")}
    return EpisodeSpec(cell, seed, 0, given or {}, places)


def played(
    one: EpisodeSpec, *replies: Reply, facts: dict[str, Any] | None = None
) -> tuple[list[Ask], Outcome]:
    playing = FAMILY.play(one, one.rng())
    ask = next(playing)
    asks = [ask]
    try:
        for reply in replies:
            ask = playing.send(Turn(Observation((), None, facts or {}), reply))
            asks.append(ask)
    except StopIteration as end:
        return asks, end.value
    raise AssertionError("it asks for more")


def given_row(**changes: Any) -> dict[str, Any]:
    picture = {"sha256": "0" * 64, "width_px": 8, "height_px": 6}
    row = {
        "name": "dog1.jpg",
        "kind": "animal",
        "question": "Which paw is the dog raising in the picture?",
        "options": ["left front", "right front", "left rear", "right rear"],
        "answer": "left rear",
        "picture": picture,
    }
    return {"split": "test", "quirks": ["hind read as rear"], "examples": [], **row, **changes}


def test_the_published_prompt() -> None:
    (ask,), _ = played(spec("data", given=given_row()), Reply("C"))
    assert ask.system == ""
    assert ask.user == (
        PUBLISHED_ROLE + "Input: Image: [image 1]\n"
        "Question: Which paw is the dog raising in the picture?, "
        "Options: A. Left front; B. Right front; C. Left rear; D. Right rear.\nOutput:"
    )


def test_examples_come_first_pictures_and_words() -> None:
    picture = {"sha256": "1" * 64, "width_px": 8, "height_px": 6}
    example = given_row(name="e.jpg", picture=picture)
    row = given_row(examples=[example, example])
    (ask,), _ = played(spec("data", given=row, shots=2), Reply("C"))
    assert "Given the following 2 examples to learn the visual reasoning task:\n" in ask.user
    assert "reasoning task:\nInput: Image: [image 1]\nQuestion: " in ask.user
    assert "D. Right rear.\nOutput: C. Left rear\nInput: Image: [image 2]" in ask.user
    assert "Input: Image: [image 3]\n" in ask.user
    assert [view.path for view in ask.views] == ["/p/e.jpg", "/p/e.jpg", "/p/dog1.jpg"]  # type: ignore[attr-defined]


def test_chain_of_thought_has_three_stages_and_more_room() -> None:
    (direct,), _ = played(spec(), Reply("A"))
    (staged,), _ = played(spec(variant="cot"), Reply("Answer: A"))
    assert all(f"Stage {number}" in staged.user for number in (1, 2, 3))
    assert "without explaining" in direct.user
    assert "without explaining" not in staged.user
    assert staged.max_tokens > direct.max_tokens


def test_text_only_shows_and_mentions_no_picture() -> None:
    (ask,), outcome = played(spec(text_only=True, shots=2), Reply("A"))
    assert ask.views == ()
    assert "[image" not in ask.user
    assert "an Image" not in ask.user
    assert outcome.fields["image_width_px"] is None


def test_circular_asks_under_every_shift() -> None:
    one = spec("data", given=given_row(), circular=True)
    asks, outcome = played(one, Reply("C"), Reply("B"), Reply("hm"), Reply("The left hind leg"))
    options = [step["options"] for step in outcome.steps]
    assert [each[0] for each in options] == ["left front", "right front", "left rear", "right rear"]
    assert [step["correct"] for step in outcome.steps] == [True, True, False, True]
    assert [step["choice_position"] for step in outcome.steps] == [3, 2, None, 4]
    assert [step["answer_position"] for step in outcome.steps] == [3, 2, 1, 4]
    assert [step["parse_status"] for step in outcome.steps] == [
        "strict",
        "strict",
        "failed",
        "cleaned",
    ]
    assert len({ask.user for ask in asks}) == 4 == FAMILY.max_asks(one)
    assert outcome.terminated


def test_an_api_failure_is_no_miss() -> None:
    _, outcome = played(spec(), Reply("", error_kind="server"))
    assert (outcome.error_kind, outcome.terminated) == ("server", False)
    assert outcome.steps[0]["correct"] is None


def test_the_questions_own_picture_has_the_facts() -> None:
    facts = {"views": [{"limb_px": 1}, {"limb_px": 2}]}
    _, outcome = played(spec(shots=1), Reply("A"), facts=facts)
    assert outcome.steps[0]["limb_px"] == 2
    _, outcome = played(spec(), Reply("A"), facts={"limb_px": 3, "views": None})
    assert outcome.steps[0]["limb_px"] == 3


@pytest.mark.parametrize("run", [0, 3])
def test_a_block_is_balanced(run: int) -> None:
    designs = [design(BLOCK + place, run) for place in range(BLOCK)]
    cells = Counter((d.kind, d.answer, d.part, d.facing, d.flank) for d in designs)
    assert set(cells.values()) == {1}
    assert Counter(d.kind for d in designs) == {"person": 32, "dog": 32}
    for kind, answers in (("person", 2), ("dog", 4)):
        by_label = Counter((d.answer, d.position) for d in designs if d.kind == kind)
        assert set(by_label.values()) == {32 // answers**2}
        assert len(by_label) == answers**2
        company = Counter((d.answer, d.others, d.seen_directly) for d in designs if d.kind == kind)
        assert set(company.values()) == {32 // answers // 4}


def test_a_longer_sequence_begins_like_a_shorter_one() -> None:
    first = [design(index, 0) for index in range(200)]
    assert [design(index, 0) for index in (199, 0, 77)] == [first[199], first[0], first[77]]
    assert first[:BLOCK] != first[BLOCK : 2 * BLOCK]


def test_twins_share_everything_but_the_mirror() -> None:
    for seed in range(8):
        (direct,), _ = played(spec("sim", seed), Reply("A"))
        (mirrored,), _ = played(spec("sim-reflected", seed), Reply("A"))
        assert direct.user == mirrored.user
        a, b = direct.views[0], mirrored.views[0]
        assert isinstance(a, PosingView)
        assert isinstance(b, PosingView)
        assert (a.shots, a.limb, a.must_show) == (b.shots, b.limb, b.must_show)
        assert {a.shown, b.shown} == set(a.must_show)


def test_the_viewers_answer_is_the_side_of_the_picture_on_which_the_limb_is() -> None:
    for seed, reflected in product(range(BLOCK), (False, True)):
        made = sim_item(seed, 0, reflected=reflected, width_px=640, height_px=480, encoding="png")
        for right_px, side in ((3.5, "right"), (-3.5, "left")):
            viewers = made.viewer_answer(right_px)
            if made.shown == "both":
                assert viewers is None
            else:
                assert viewers is not None
                assert viewers.split()[0] == side
                assert viewers.split()[1:] == made.item.answer.split()[1:]
        assert made.viewer_answer(0.0) is made.viewer_answer(None) is None
        assert made.item.options.index(made.item.answer) == made.design.position


def test_the_picture_decides_on_whose_side_an_answer_is() -> None:
    for right_px, expected in ((9.0, "right"), (-9.0, "left"), (None, None)):
        facts = {"limb_right_px": right_px}
        _, outcome = played(spec("sim", _direct_person()), Reply("A"), facts=facts)
        assert outcome.fields["viewer_answer"] == expected


def _direct_person() -> int:
    return next(seed for seed in range(BLOCK) if design(seed, 0).kind == "person")


def test_dogs_may_be_asked_about_with_two_options() -> None:
    for seed in range(BLOCK):
        if design(seed, 0).kind != "dog":
            continue
        (four,), _ = played(spec("sim", seed), Reply("A"))
        (two,), outcome = played(spec("sim", seed, dog_options=2), Reply("A"))
        assert two.views == four.views
        end = design(seed, 0).answer.split()[1]
        assert f" {end} leg" in two.user
        assert outcome.fields["orientation"] in {"A.left", "A.right"}
        assert outcome.fields["n_options"] == 2


def test_the_picture_of_an_item_does_not_depend_on_its_size() -> None:
    small, large = (
        sim_item(5, 0, reflected=False, width_px=width, height_px=height, encoding="png")
        for width, height in ((320, 240), (640, 480))
    )
    assert isinstance(small.item.view, PosingView)
    assert isinstance(large.item.view, PosingView)
    assert small.item.view.shots == large.item.view.shots
