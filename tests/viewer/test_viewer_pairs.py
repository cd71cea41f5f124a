"""Side by side: steps meet, the first difference is found, and free text is none."""

from typing import Any

import pytest

from mirror_ray.viewer.links import scene_links
from mirror_ray.viewer.page import page_of
from mirror_ray.viewer.pair_page import PairStep, pair_html, pair_steps
from support.viewed_rows import record, step


def steps_of(left: list[dict[str, Any]], right: list[dict[str, Any]]) -> tuple[PairStep, ...]:
    one, other = (page_of(record(*side), {}) for side in (left, right))
    frames = [{row["ask"]: row["frame_sha"] for row in side} for side in (left, right)]
    return pair_steps(one, other, (frames[0], frames[1]))


def test_short_values_decide_and_free_text_does_not() -> None:
    left = [step(1, action="w", why="l" * 40, sure=None), step(2, action="a", why="", sure=True)]
    right = [step(1, action="w", why="r" * 40, sure=None), step(2, action="d", why="", sure=False)]
    first, second = steps_of(left, right)
    assert not first.differs
    assert second.said == (("action", "a", "d"), ("sure", "yes", "no"))


def test_a_flag_is_yes_or_no_and_a_dash_only_where_there_is_none() -> None:
    left = [step(1, done=False, sure=True), step(2, done=True, sure=None)]
    right = [step(1, done=False, sure=False), step(2, done=False, sure=False)]
    first, second = steps_of(left, right)
    assert first.said == (("sure", "yes", "no"),)
    assert second.said == (("done", "yes", "no"), ("sure", "–", "no"))


def test_free_text_that_happens_to_be_short_does_not_decide() -> None:
    left = [step(1, action="w", why="l" * 40), step(2, action="a", why="short")]
    right = [step(1, action="w", why="no"), step(2, action="d", why="shorter")]
    first, second = steps_of(left, right)
    assert not first.differs
    assert second.said == (("action", "a", "d"),)


def test_whole_replies_decide_where_nothing_short_was_read() -> None:
    (found,) = steps_of([step(1, reply="A dog.")], [step(1, reply="A cat.")])
    assert found.said == (("reply", "", ""),)
    (same,) = steps_of([step(1)], [step(1)])
    assert not same.differs


def test_other_words_and_other_pictures_are_differences() -> None:
    (words,) = steps_of([step(1, user="Which?")], [step(1, user="What?")])
    (picture,) = steps_of([step(1, frame_sha="0")], [step(1, frame_sha="1")])
    assert words.asked_differs
    assert picture.asked_differs


def test_replies_that_were_asked_again_are_left_out_and_ends_are_seen() -> None:
    left = [step(1, superseded=True), step(2, 1), step(3, 2)]
    found = steps_of(left, [step(1)])
    assert [(one.left and one.left.number, one.right and one.right.number) for one in found] == [
        (2, 1),
        (3, None),
    ]
    assert found[1].differs


def test_page_marks_the_first_difference_and_escapes() -> None:
    sides = [step(1, action="w"), step(2, action="a")], [step(1, action="w"), step(2, action="d")]
    hostile = "<img src=x onerror=1>"
    listed = [
        {
            **{**record().episode, "verdict": "wrong", "failure": None},
            **{"answer": hostile, "gold": hostile, "scene": "1"},
        }
        | {"model": hostile, "n_steps": 2}
        for _ in sides
    ]
    pages = [page_of(record(*side), {}) for side in sides]
    found = steps_of(*sides)
    html = pair_html(
        (pages[0], pages[1]),
        (listed[0], listed[1]),
        found,
        hrefs=(None, None),
        source=lambda *_: "",
        up=None,
        is_file=True,
    )
    assert html.count('id="first-difference"') == 1
    assert html.index("Step 1") < html.index('id="first-difference"') < html.index("Step 2")
    assert "<img" not in html


def test_a_scene_s_episodes_are_told_by_what_differs() -> None:
    settings = {"condition": "E1", "temperature": 0.2, "variant": "v", "gold": "2"}
    this = {"episode_id": "0", "model": "a", **settings}
    others = [
        this | {"episode_id": "1", "model": "b"},
        this | {"episode_id": "2", "condition": "E2"},
        this | {"episode_id": "3", "model": "b", "condition": "E2"},
        this | {"episode_id": "4", "temperature": None},
    ]
    models, conditions, n_others = scene_links(
        this, others, href=lambda _: None, side_by_side=lambda one, other: f"{one}-{other}"
    )
    assert [(link.what, link.side_by_side) for link in models] == [("b", "0-1")]
    assert [(link.what, link.side_by_side) for link in conditions] == [("E2", "0-2")]
    assert n_others == 2


def test_a_model_that_was_asked_about_several_stories_of_a_scene_stands_once() -> None:
    settings = {"condition": "recognition", "temperature": 0.7, "variant": "v"}
    this = {"episode_id": "0", "model": "a", "gold": "3", **settings}
    others = [this | {"episode_id": f"{n}", "model": "b", "gold": f"{n}"} for n in range(1, 5)]
    others.append(this | {"episode_id": "5", "gold": "1"})
    models, conditions, n_others = scene_links(
        this, others, href=lambda _: None, side_by_side=lambda one, other: f"{one}-{other}"
    )
    # Beside the episode of the same answer, which is of the same story if any is.
    assert [(link.what, link.side_by_side, link.n) for link in models] == [("b", "0-3", 4)]
    assert (conditions, n_others) == ((), 1)


@pytest.mark.parametrize(("replies", "n_open"), [(("A dog.", "A cat."), 2), (("Same.",) * 2, 0)])
def test_replies_that_differ_are_open(replies: tuple[str, str], n_open: int) -> None:
    sides = [[step(1, reply=reply, why="w" * 40)] for reply in replies]
    listed = {**record().episode, "verdict": "wrong", "failure": None, "answer": None}
    listed |= {"gold": None, "scene": "1", "n_steps": 1}
    pages = [page_of(record(*side), {}) for side in sides]
    html = pair_html(
        (pages[0], pages[1]),
        (listed, listed),
        steps_of(*sides),
        hrefs=(None, None),
        source=lambda *_: "",
        up=None,
        is_file=True,
    )
    assert html.count('data-kind="reply" open') == n_open
    assert html.count('data-kind="reply"') >= 2


@pytest.mark.parametrize(("asked", "n_open"), [(("Which?", "What?"), 2), (("Which?",) * 2, 0)])
def test_prompts_that_differ_are_open_where_no_picture_was_shown(
    asked: tuple[str, str], n_open: int
) -> None:
    sides = [[step(1, user=words)] for words in asked]
    listed = {**record().episode, "verdict": "wrong", "failure": None, "answer": None}
    listed |= {"gold": None, "scene": "1", "n_steps": 1}
    one, other = (listed | {"model": f"lab/<{name}>"} for name in "ab")
    pages = [page_of(record(*side), {}) for side in sides]
    html = pair_html(
        (pages[0], pages[1]),
        (one, other),
        steps_of(*sides),
        hrefs=(None, None),
        source=lambda *_: "",
        up=None,
        is_file=True,
    )
    assert html.count('data-kind="prompt" open') == n_open
    assert ("1 of 1 step differs" in html) == (n_open > 0)
    # A name may be broken behind its parts, and is still only text.
    assert "lab/<wbr>&lt;a&gt;" in html
