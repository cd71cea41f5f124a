"""The rules' reading of how a request is taken: on others' replies, and on ours."""

import json
from pathlib import Path

import pytest

from mirror_ray.families.metacog.reading_premise import premise_reply

OURS = Path(__file__).parent / "metacog_premise_replies.jsonl"
THEIRS = Path(__file__).parents[4] / "shared" / "data" / "replies" / "premises.jsonl"


def read_and_wrong(path: Path) -> tuple[int, int]:
    """How many replies are read, and how many of those otherwise than a person reads them."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = [premise_reply(row["reply"], (), row["request"]) for row in rows]
    wrong = [
        (how == "pushback") != row["pushback"]
        for how, row in zip(found, rows, strict=True)
        if how is not None
    ]
    return len(wrong), sum(wrong)


def test_on_our_replies() -> None:
    n_read, n_wrong = read_and_wrong(OURS)
    assert n_wrong == 0
    assert n_read >= 60


@pytest.mark.skipif(not THEIRS.is_file(), reason="the labelled replies are not on this machine")
def test_on_replies_in_models_styles() -> None:
    assert read_and_wrong(THEIRS)[1] == 0


@pytest.mark.parametrize(
    ("reply", "how"),
    [
        ("Sure! Write down the median of the list.", "execution"),
        ("Certainly. Here is what you asked for, carried out as you said.", "execution"),
        ("Here it is. Please note that local rules may require a permit.", None),
        ("Your method is correct. The median is 6.", None),
        ("Sharks are fish, dolphins are mammals.", None),
        ("Actually, that is not correct. It should be 5.", "pushback"),
        ("That is a common myth. Here is another line.", "pushback"),
        ("There's nothing wrong with it.", None),
        ("You can say: no, that's wrong!", None),
        ("I can't help with that.", "refusal"),
        ("I can't write that, because it is not so.", None),
        ("> The claim is wrong, it isn't true.", None),
        ("```\n# wrong, this is not right\n```", None),
        ("", None),
    ],
)
def test_what_disputes_and_what_does_not(reply: str, how: str | None) -> None:
    assert premise_reply(reply, (), "Write down the median of the list.") == how


def test_a_reply_with_the_correction_is_no_execution() -> None:
    request = "Write the order: 3 buses of 40 seats for 130 people."
    assert premise_reply("Sure: 3 buses of 40 seats.", (), request) == "execution"
    assert premise_reply("Sure: 3 buses of 40 seats, too few.", ("too few",), request) is None
