"""What a selfid reply may look like, and which liberties are forgiven."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Reply
from mirror_ray.families.selfid.conditions import CONDITIONS, Condition
from mirror_ray.families.selfid.reply import MOST_WORDS_CHARS, Decision, read_reply, reply_schema
from mirror_ray.families.selfid.settings import settings_of
from mirror_ray.reading.walking.coercion import coerced_cube_reply, coerced_open_reply
from sim_assets.colors import COLOR_NAMES

CUBES, OPEN = CONDITIONS["E1"], CONDITIONS["E5"]


def cube_reply(**changes: Any) -> dict[str, Any]:
    return {
        "view-description": "a wall",
        "reasoning": "nothing yet",
        "action": "w",
        "summary": "walked",
        "selected_cube": "none",
        "identification": "unknown",
    } | changes


def schema_of(condition: Condition) -> Any:
    cell = Cell("selfid", "E1", (), None, "paper", (("structured", "schema"),))
    schema = reply_schema(condition, settings_of(EpisodeSpec(cell, 0, 0)))
    assert schema is not None
    return schema


def read(
    found: dict[str, Any] | str, condition: Any = CUBES
) -> tuple[str, Decision | None, tuple[str, ...]]:
    text = found if isinstance(found, str) else json.dumps(found)
    parsed, decision = read_reply(Reply(text=text, finish_reason="stop"), condition)
    assert (decision is None) == (parsed.status == "failed")
    return parsed.status, decision, parsed.fixes


def test_a_schema_has_the_published_keys_in_order_and_nothing_else() -> None:
    schema = schema_of(CUBES)
    keys = ["view-description", "reasoning", "action", "summary", "selected_cube"]
    keys.append("identification")
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert list(schema["properties"]) == schema["required"] == keys
    assert schema["additionalProperties"] is False
    assert schema["properties"]["view-description"] == {"type": "string"}
    assert schema["properties"]["action"]["enum"] == ["w", "a", "s", "d", "done"]
    assert not {"enum"} & (
        schema["properties"]["selected_cube"].keys() | schema["properties"]["identification"].keys()
    )


def test_open_ended_schema_lacks_the_selection_alone() -> None:
    cubes, free = schema_of(CUBES), schema_of(OPEN)
    rest = {key: value for key, value in cubes["properties"].items() if key != "selected_cube"}
    assert free["properties"] == rest
    assert free["required"] == list(rest)


def test_a_strict_reply() -> None:
    found = cube_reply(action="done", selected_cube="red", identification="red")
    assert read(found) == (
        "strict",
        Decision("a wall", "nothing yet", "done", "walked", "red", "red"),
        (),
    )


def test_a_strict_open_ended_reply() -> None:
    found = cube_reply(identification="pink")
    del found["selected_cube"]
    status, decision, _ = read(found, OPEN)
    assert (status, decision and decision.selected_cube) == ("strict", None)


@pytest.mark.parametrize("selected", ["none", "unknown"])
def test_done_without_a_selection_is_a_decision(selected: str) -> None:
    _, decision, _ = read(cube_reply(action="done", selected_cube=selected))
    assert decision is not None
    assert (decision.action, decision.selected_cube) == ("done", "none")


@pytest.mark.parametrize(
    ("change", "key", "value", "fix"),
    [
        ({"action": "W"}, "action", "w", "action 'W' read as 'w'"),
        ({"action": " Done. "}, "action", "done", "action ' Done. ' read as 'done'"),
        ({"action": "turn left"}, "action", "a", "action 'turn left' read as 'a'"),
        ({"action": ["d"]}, "action", "d", "action ['d'] read as 'd'"),
        (
            {"selected_cube": "red"},
            "selected_cube",
            "none",
            "selected_cube 'red' before done read as 'none'",
        ),
        (
            {"selected_cube": "The Red Cube", "action": "done"},
            "selected_cube",
            "red",
            "selected_cube 'The Red Cube' read as 'red'",
        ),
        ({"summary": None}, "summary", "", "made 'summary' text"),
        ({"reasoning": ["a", "b"]}, "reasoning", "a b", "made 'reasoning' text"),
        ({"reasoning": {"a": 1}}, "reasoning", '{"a": 1}', "made 'reasoning' text"),
        ({"confidence": 0.9}, "action", "w", "dropped 'confidence'"),
    ],
)
def test_a_forgiven_liberty_is_named(
    change: dict[str, Any], key: str, value: str, fix: str
) -> None:
    status, decision, fixes = read(cube_reply(**change))
    assert (status, getattr(decision, key), fixes) == ("coerced", value, (fix,))


def test_keys_are_recognised_without_case_and_punctuation() -> None:
    found = cube_reply(View_Description="seen")
    del found["view-description"]
    status, decision, fixes = read(found)
    assert (status, decision and decision.view_description) == ("coerced", "seen")
    assert fixes == ("key 'View_Description' read as 'view-description'",)


def test_only_an_action_must_be_there() -> None:
    only = {"action": "w", "identification": "blue"}
    status, decision, fixes = read(only)
    assert (status, decision) == ("coerced", Decision("", "", "w", "", "none", "blue"))
    assert fixes[:3] == (
        "added an empty 'view-description'",
        "added an empty 'reasoning'",
        "added an empty 'summary'",
    )
    _, decision, _ = read({"action": "done"})
    assert decision == Decision("", "", "done", "", "none", None)
    assert read({"identification": "blue"})[0] == "failed"


@pytest.mark.parametrize("words", ["grey", "red or blue", "Not sure", "", 7, ["a", "b"], None])
def test_an_identification_is_kept_in_its_own_words(words: Any) -> None:
    _, decision, _ = read(cube_reply(action="s", identification=words))
    assert decision is not None
    assert decision.action == "s"
    kept = {7: "7", None: None}.get(words, words) if not isinstance(words, list) else "a b"
    assert decision.identification == kept


def test_long_words_are_cut_and_stay_on_one_line() -> None:
    _, decision, _ = read(cube_reply(identification="so\nmany " * 100))
    assert decision is not None
    assert decision.identification is not None
    assert len(decision.identification) <= MOST_WORDS_CHARS + 1
    assert "\n" not in decision.identification


@pytest.mark.parametrize("cube", ["light blue", "red or blue", "the big one"])
def test_a_doubtful_cube_is_not_guessed_and_costs_no_action(cube: str) -> None:
    _, decision, _ = read(cube_reply(action="done", selected_cube=cube))
    assert decision is not None
    assert (decision.action, decision.selected_cube) == ("done", cube)


@pytest.mark.parametrize("action", ["wait", "ww", "w, w", "forward then done", None, 1, {}])
def test_a_doubtful_action_is_not_guessed(action: Any) -> None:
    assert read(cube_reply(action=action))[0] == "failed"


def test_the_problem_lists_what_is_allowed() -> None:
    parsed, _ = read_reply(Reply(text=json.dumps(cube_reply(action="jump"))), CUBES)
    assert parsed.problem == "\"action\": Input should be 'w', 'a', 's', 'd' or 'done'"


def test_many_stray_keys_are_listed_briefly() -> None:
    _, _, fixes = read(cube_reply() | {f"stray {index}" * 20: 1 for index in range(50)})
    assert len(fixes) == 1
    assert fixes[0].endswith("and 42 more keys")
    assert len(fixes[0]) < 500


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([*cube_reply(), "view_description", "Action", "stray"]) | st.text()
VALUES = JSON | st.sampled_from(["w", "done", "red", "Red.", "unknown", "none", "n/a"])


@given(st.dictionaries(KEYS, VALUES))
@settings(max_examples=200)
def test_coercion_never_raises_and_keeps_only_wanted_keys(found: dict[str, Any]) -> None:
    for coerce, condition in ((coerced_cube_reply, CUBES), (coerced_open_reply, OPEN)):
        adapted, fixes = coerce(found)
        assert set(adapted) <= set(schema_of(condition)["required"])
        assert all(isinstance(fix, str) for fix in fixes)
        again, none = coerce(adapted)
        assert (again, none) == (adapted, ())


DECISIONS = st.builds(
    cube_reply,
    action=st.sampled_from(["w", "a", "s", "d"]),
    identification=st.sampled_from([*COLOR_NAMES, "unknown"]),
    summary=st.text(st.characters(exclude_categories=["Cs"])).filter(lambda s: "<" not in s),
)


@given(
    DECISIONS,
    st.sampled_from(["%s", "```json\n%s\n```", "<think>{hm}</think>\n%s", "Here: %s\nMy step."]),
    st.sampled_from([None, 2]),
)
@settings(max_examples=100)
def test_a_valid_decision_is_read_out_of_any_wrapping(
    found: dict[str, Any], wrapping: str, indent: int | None
) -> None:
    status, decision, _ = read(wrapping % json.dumps(found, indent=indent))
    assert status == ("strict" if wrapping == "%s" else "cleaned")
    assert decision is not None
    assert decision.identification == found["identification"]
    assert decision.summary == found["summary"]


@pytest.mark.parametrize(
    "end", ['"action": "d', '"action": "do', '"action": "done", "selected_cube": "re']
)
def test_a_word_that_breaks_off_is_no_decision(end: str) -> None:
    parsed, decision = read_reply(Reply('{"reasoning": "r", ' + end), CUBES)
    assert decision is None
    assert parsed.status == "failed"


def test_an_identification_that_breaks_off_costs_no_action() -> None:
    _, decision = read_reply(Reply('{"action": "w", "identification": "unkn'), CUBES)
    assert decision is not None
    assert decision.action == "w"
