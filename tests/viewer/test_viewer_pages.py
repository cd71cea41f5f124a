"""A page from an episode's rows alone: any family, any number of asks, whoever's columns."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mirror_ray.replay.episode import ReplayStep
from mirror_ray.viewer.episode_record import ViewedRecord
from mirror_ray.viewer.episode_view import episode_html
from mirror_ray.viewer.links import Links
from mirror_ray.viewer.page import page_of
from mirror_ray.world.room.scene import Body, Pose, Scene
from mirror_ray.world.room.shared_room import SharedRoom
from support.viewed_rows import record, step


def html_of(
    shown: ViewedRecord, scores: dict[str, Any] | None = None, **listed_as: str | None
) -> str:
    page = page_of(shown, scores or {})
    nothing = {"verdict": None, "failure": None, "gold": None, "answer": None}
    listed = {**shown.episode, **nothing, **listed_as}
    return episode_html(page, Links(), lambda ask, name: "", listed=listed, is_file=True)


def test_one_question_without_a_picture_is_a_page():
    html = html_of(record(step(1, answer="dog", confidence=0.75, is_sure=True), item="d-17"))
    for text in ("riddles R1", "Question 1?", "It is a dog.", ">dog<", "0.75", "d-17"):
        assert text in html
    assert "<img" not in html
    # There is nothing to step through, and its question is open to be read.
    assert 'class="tracks"' not in html
    assert re.search(r'data-kind="prompt" open', html)


def test_asks_of_several_roles_say_whose_they_are():
    asks = (step(1, model="lab/a"), step(2, role="judge", model="lab/<b>"))
    page = page_of(record(*asks), {})
    assert [ask.role for ask in page.asks] == ["subject", "judge"]
    assert page.partners == (("judge", "lab/<b>"),)
    turns = next(track for track in page.tracks if track.name == "turn")
    assert [cell.text for cell in turns.cells] == ["s", "j"]
    html = html_of(record(*asks))
    assert html.count("judge: lab/&lt;b&gt;") == 2
    assert "subject: lab/a" in html
    alone = page_of(record(step(1, model="lab/a"), step(2, model="lab/a")), {})
    assert alone.partners == ()
    assert "turn" not in [track.name for track in alone.tracks]


def test_what_the_other_was_shown_last_stands_beside_a_turn():
    room = SharedRoom(
        Scene(
            "north", "mirror", Body(Pose(0, 0, 90), "red"), others=(Body(Pose(1, 1, 0), "blue"),)
        ),
        np.random.default_rng(0),
    )
    asks = [step(1), step(2, role="partner"), step(3), step(4)]
    views = [
        room.eye(body, width_px=32, height_px=24, fov_deg=110.0, encoding="png")
        for body in (0, 1, 0, 0)
    ]
    moments = tuple(
        ReplayStep(row, (view,), (view.ego.pose,), is_last=False)
        for row, view in zip(asks, views, strict=True)
    )
    page = page_of(replace(record(*asks), replay_steps=moments), {})
    beside = [[(one.role, one.step) for one in ask.seen_by_partners] for ask in page.asks]
    assert beside == [[], [("subject", 1)], [("partner", 2)], [("partner", 2)]]


def test_step_is_named_by_the_ask_that_counts():
    asks = (step(1), step(2, 2, superseded=True), step(3, 2, superseded=True), step(4, 2))
    page = page_of(record(*asks), {})
    assert [ask.anchor for ask in page.asks] == ["step-1", "step-2-try-1", "step-2-try-2", "step-2"]
    assert [ask.counts for ask in page.asks] == [True, False, False, True]
    assert page.last_step == 2


def test_short_columns_are_badges_throughout_and_long_ones_passages():
    asks = (step(1, verdict="yes", why="w" * 17), step(2, verdict="no", why="short"))
    page = page_of(record(*asks), {})
    assert [[badge.text for badge in ask.badges] for ask in page.asks] == [["yes"], ["no"]]
    assert [[part.text for part in ask.passages] for ask in page.asks] == [["w" * 17], ["short"]]


def test_tracks_are_words_then_counts_then_how_replies_were_read():
    asks = (
        step(1, says="red", seen_px=0, same_px=7),
        step(2, says="a", seen_px=50, same_px=7, parse_status="repaired"),
        step(3, says=None, seen_px=200, same_px=None, error_kind="timeout"),
    )
    says, seen, replies = page_of(record(*asks), {}).tracks
    assert [(cell.color, cell.text) for cell in says.cells] == [("red", ""), ("", "a"), ("", "")]
    assert (seen.name, [cell.share for cell in seen.cells]) == ("seen_px", [0.0, 0.25, 1.0])
    assert [cell.is_alert for cell in replies.cells] == [False, True, True]
    assert replies.cells[2].about == "error: timeout"


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        (["up", "down", None, "up"], ["u", "d", "", "u"]),
        (["left", "less", "up"], ["", "", ""]),
        (["back", "body", "red"], ["ba", "bo", ""]),
        (["none", "wall", "nothing"], ["", "w", ""]),
        ([None, "air"], ["", "a"]),
    ],
)
def test_a_track_has_the_letters_that_tell_its_words_apart_or_none(said, texts):
    asks = [step(at, says=word) for at, word in enumerate(said, 1)]
    track = page_of(record(*asks), {}).tracks[0]
    assert [cell.text for cell in track.cells] == texts
    assert [cell.about for cell in track.cells] == [word or "–" for word in said]


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        (["mark", "mark"], ["reply"]),
        (["none", "nothing", None], ["reply"]),
        (["red", "red"], ["says", "reply"]),
        (["mark", None], ["says", "reply"]),
        ([["mark"], []], ["reply"]),
    ],
)
def test_a_track_that_would_be_empty_is_left_out(said, rows):
    asks = [step(at, says=word) for at, word in enumerate(said, 1)]
    assert [track.name for track in page_of(record(*asks), {}).tracks] == rows


@pytest.mark.parametrize(
    ("temperature", "text"), [(None, "the provider&#39;s temperature"), (0.0, "temperature 0")]
)
def test_a_temperature_that_was_not_sent_is_the_providers(temperature, text):
    assert f" · {text} · " in html_of(record(step(1), temperature=temperature))


def test_undefined_is_left_out_or_a_dash_and_zero_is_shown():
    scores = {"tsa": None, "cr": 0, "failed": False, "cluster": "7"}
    page = page_of(record(step(1, cost_usd=0.0, tokens_in=None)), scores)
    assert dict(page.scores) == {"cr": "0"}
    assert dict(page.asks[0].call)["cost"] == "$0.00"
    assert "tokens in" not in dict(page.asks[0].call)
    assert dict(page.totals)["cost"] == "–"


def test_a_score_that_is_a_metric_has_its_heading_and_its_meaning():
    html = html_of(record(step(1), family="selfid"), {"tsa": 1, "t_done": 7})
    assert re.search(r'<abbr title="Share of all episodes [^"]+">TSA</abbr></dt><dd>1</dd>', html)
    assert "<dt>t done</dt><dd>7</dd>" in html


def test_episode_without_an_ask_is_a_page():
    assert "Nothing was asked." in html_of(record(error_kind="internal"))


@pytest.mark.parametrize("where", ["model", "variant", "condition", "family"])
def test_identity_columns_are_escaped_too(where):
    html = html_of(record(step(1), **{where: "<img src=x onerror=1>"}))
    assert "<img" not in html
    assert "&lt;img src=x" in html


def test_column_names_are_escaped_too():
    html = html_of(record(step(1, **{"<img src=x>": 3}), **{"<img src=y>": 3}), {"<img src=z>": 1})
    assert "<img" not in html


def test_page_as_a_file_brings_its_policy():
    html = html_of(replace(record(step(1)), note="<img src=x>"))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src &#39;none&#39;")
    assert "http" not in policy[1]
    assert "<img" not in html


def test_what_went_wrong_stands_beside_that_it_did():
    asked = record(step(1))
    html = html_of(asked, {"failed": False}, verdict="wrong", failure="never looked", gold="red")
    assert "wrong: never looked</span>" in html
    assert "<span>no answer</span>" in html
    # Whether an error ended it is no score.
    assert "<dt>failed</dt>" not in html
    unscored = html_of(asked, verdict="unscored", gold="red")
    assert "no answer" not in unscored
    assert "right is" not in unscored


def test_a_setting_is_read_as_words_and_found_by_its_name():
    html = html_of(record(step(1), variant="paper+max_steps=14+circular=True"))
    assert '<span title="paper+max_steps=14+circular=True">paper · max steps 14 · circular<' in html
