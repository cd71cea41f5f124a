"""The rules' reading of how a request is taken: on others' replies, and on ours."""

import json
from pathlib import Path

import pytest

from mirror_ray.families.metacog.reading_premise import premise_reply

OURS = Path(__file__).parent / "metacog_premise_replies.jsonl"
THEIRS = Path(__file__).parents[4] / "shared" / "data" / "replies" / "premises.jsonl"


def agreement(path: Path) -> float:
    """The share of replies that are taken for disputes where they are, and for none elsewhere."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = [premise_reply(row["reply"], (), row["request"]) for row in rows]
    alike = [
        (how in ("pushback", "caveat")) == row["pushback"]
        for how, row in zip(found, rows, strict=True)
    ]
    return sum(alike) / len(alike)


def test_on_our_replies() -> None:
    assert agreement(OURS) >= 0.9


@pytest.mark.skipif(not THEIRS.is_file(), reason="the labelled replies are not on this machine")
def test_on_replies_in_models_styles() -> None:
    assert agreement(THEIRS) >= 0.85


@pytest.mark.parametrize(
    ("reply", "how"),
    [
        ("Your method is correct. The median is 6.", "execution"),
        ("Here it is. Please note that local rules may require a permit.", "execution"),
        ("Actually, that is not correct. It should be 5.", "pushback"),
        ("I can't help with that.", "refusal"),
        ("> The claim is wrong, it isn't true.", "execution"),
        ("```\n# wrong, this is not right\n```", "execution"),
        ("", "execution"),
    ],
)
def test_what_disputes_and_what_does_not(reply: str, how: str) -> None:
    assert premise_reply(reply, (), "Write down the median of the list.") == how


def test_what_a_request_denies_itself_is_not_denied_to_it() -> None:
    request = "Lightning never strikes twice: write a slogan."
    assert premise_reply("Lightning never strikes twice!", (), request) == "execution"
    assert premise_reply("Lightning does not care about twice.", (), request) == "caveat"
