"""The forms in which an answer is given: what each of them says, in every kind of answer.

docs/reading.md has the forms; what is none of them is unread.
"""

from collections.abc import Iterator

import pytest

from mirror_ray.core.types import CUT_SHORT, Reply
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.prompts import channel_prompt
from support.whole import one_in

SEATS = "A hall has 24 rows of 35 seats. 117 seats are reserved. How many seats are free?"
LETTERED = "Which planet is largest?\nA) Mars\nB) Jupiter\nC) Venus\nD) Earth"
WHALE = "Is a whale a mammal?"
FILM = "A film starts at 19:45 and lasts 95 minutes. At what time does it end?"
COMPASS = "Which lies furthest east: Lisbon, Rome or Warsaw?"
CAPITAL = "What is the capital of Australia?"
SORT = "Sort ascending: 17, 4, 29, 11."

KINDS: dict[str, tuple[str, Key, str, str]] = {
    # Question, key, an answer as it may be written, and another one.
    "number": (SEATS, Key("723", "number"), "723 seats", "733"),
    "letter": (LETTERED, Key("B", "letter", (), tuple("ABCD")), "B) Jupiter", "C"),
    "yes_no": (WHALE, Key("yes", "boolean", (), ("yes", "no")), "Yes", "No"),
    "time": (FILM, Key("21:20", "time"), "21:20", "21:10"),
    "option": (COMPASS, Key("Warsaw", "text", (), ("Lisbon", "Rome", "Warsaw")), "Warsaw", "Rome"),
    "words": (CAPITAL, Key("Canberra", "text"), "Canberra", "Sydney"),
    "order": (SORT, Key("4, 11, 17, 29", "sequence"), "4, 11, 17, 29", "29, 17, 11, 4"),
}

LABELLED = (
    "ANSWER: {0}",
    "Answer: {0}",
    "**Answer:** {0}",
    "**Answer: {0}**",
    "Final answer: {0}",
    "**Final Answer:** {0}",
    "The answer is: {0}",
    "The answer is {0}.",
    "The answer is **{0}**.",
    "The final answer is {0}.",
    "The correct answer is {0}.",
    "My answer is {0}.",
    "My answer: {0}",
    "So the answer is {0}.",
    "Therefore, the answer is {0}.",
    "Let me think.\n\nAnswer: {0}",
    "Let me think.\n\n**Answer**\n{0}",
    "Let me think it over.\n\nFinal answer: **{0}**",
    "$\\boxed{{{0}}}$",
    '{{"answer": "{0}"}}',
    '```json\n{{"reasoning": "…", "answer": "{0}"}}\n```',
    "<answer>{0}</answer>",
    "> ANSWER: {0}",
    "- ANSWER: {0}",
)
"""Forms that any channel reads, the first of them in a reply that goes on."""
BARE = ("{0}", "{0}.", "**{0}**", "`{0}`", '"{0}"', "  {0}\n", "**{0}.**", "→ {0}")
WRAPPED = (
    "<think>It could be {1}. No, {0}.</think>\n{2}",
    "{2}<|im_end|>",
    "{2}</s>",
    "\u200b{2}",
    "Sure!\n\n{2}",
    "{2}\n\nLet me know if you have any questions!",
)


def answer_of(name: str, said: str, finish_reason: str = "stop") -> str | None:
    question, key, _, _ = KINDS[name]
    reply = Reply(said, finish_reason=finish_reason)
    return read("natural", reply, question, key).answer


def told(name: str) -> str | None:
    return answer_of(name, KINDS[name][2])


@pytest.mark.parametrize("name", KINDS)
def test_every_form_is_read(name: str) -> None:
    _, _, answer, _ = KINDS[name]
    wanted = told(name)
    assert wanted is not None
    unread = [form for form in (*LABELLED, *BARE) if answer_of(name, form.format(answer)) != wanted]
    # A single word in a sentence, as "Yes.", is never read as another.
    assert unread == []


@pytest.mark.parametrize("name", KINDS)
def test_what_is_around_it_changes_nothing(name: str) -> None:
    _, _, answer, other = KINDS[name]
    for form in LABELLED[:6]:
        for wrapping in WRAPPED[:1] + WRAPPED[4:]:
            said = wrapping.format(answer, other, form.format(answer))
            assert answer_of(name, said) == told(name), said


@pytest.mark.parametrize("channel", ["wagering", "matched", "opt_out", "tools", "natural"])
@pytest.mark.parametrize("name", KINDS)
def test_the_same_words_read_the_same_in_every_channel(name: str, channel: str) -> None:
    question, key, answer, _ = KINDS[name]
    for form in (*LABELLED, *BARE):
        said = form.format(answer)
        assert read(channel, Reply(said), question, key).answer == answer_of(name, said), said


VOID = (
    "ANSWER:",
    "ANSWER: [",
    "ANSWER: [your answer]",
    "ANSWER: <answer>",
    "ANSWER: [5-10]",
    "ANSWER: {0} or {1}",
    "ANSWER: {0}\nANSWER: {1}",
    "The answer is {0}. Wait, no, that's wrong.",
    "It could be {0}, but it could also be {1}.",
    "Maybe {0}, maybe {1}.",
    "If it were otherwise, the answer would have been {0}.",
    "Some people say that the answer is {0}.",
    "Wolfram gives {0}.",
    "My calculator says {0}.",
    "my calculator shows **{0}**",
    "The other agent says {0}.",
    "According to Wikipedia it's {0}.",
    "According to Wikipedia, the answer is {0}.",
    "{0}, according to Google.",
    "{0}, says my colleague.",
    "Per Wikipedia: {0}",
    "The other player picked {0}.",
    "My friend got {0}.",
    "I've heard that it's {0}.",
    "A quick web search returns {0}.",
    "The teacher's answer is {0}.",
    "{0} is what my calculator shows.",
    "Laut Wikipedia {0}.",
    "I cannot say whether it is {0}.",
    "Is it {0}?",
    "The answer isn't {0}.",
    "The answer is not {0}.",
    "I don't think it's {0}.",
    "<think>The answer is {0}.",
    "",
    "I'm sorry, but I can't help with that.",
)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_no_commitment_is_unread(name: str) -> None:
    _, _, answer, other = KINDS[name]
    for form in VOID:
        assert answer_of(name, form.format(answer, other)) is None, form


ENDORSED = (
    "ANSWER: {0}\n\nWolfram gives the same.",
    "Wolfram gives {0}. So the answer is {0}.",
    "My calculator says {0}, so the answer is {0}.",
    "According to the passage, the answer is {0}.",
    "As I said, the answer is {0}.",
)


@pytest.mark.parametrize("name", KINDS)
def test_an_answer_of_another_source_counts_once_the_reply_makes_it_its_own(name: str) -> None:
    _, _, answer, other = KINDS[name]
    for form in ENDORSED:
        assert answer_of(name, form.format(answer, other)) == told(name), form


@pytest.mark.parametrize("name", KINDS)
def test_two_answers_are_none_unless_one_is_taken_back(name: str) -> None:
    _, _, answer, other = KINDS[name]
    assert answer_of(name, f"Answer: {other}\n\nAnswer: {answer}") is None
    assert answer_of(name, f"Answer: {other}\n\nWait, that is wrong.\n\nAnswer: {answer}") == (
        told(name)
    )
    assert answer_of(name, f"Answer: {other}\n\nFinal answer: {answer}") == told(name)


def longer_replies(name: str) -> Iterator[str]:
    _, _, answer, other = KINDS[name]
    for form in LABELLED:
        said = form.format(answer)
        yield f"{said}\nThis follows from what is given above.\nThere is nothing else to it."
        yield f"We look at what is given.\nOne might think of something else.\n{said}"
        yield f"Let us see.\n{said}\nBET: 7\nThat is all."
    for form in BARE:
        yield f"{form.format(answer)}\n\nOf the others, {other} comes closest."


@pytest.mark.parametrize("name", KINDS)
def test_a_reply_cut_anywhere_says_nothing_that_the_whole_one_does_not(name: str) -> None:
    for said in longer_replies(name):
        whole = answer_of(name, said)
        for at in one_in(6, range(len(said))):
            for reason in CUT_SHORT:
                found = answer_of(name, said[:at], reason)
                assert found in {None, whole}, said[:at]
    cut = f"ANSWER: {KINDS[name][2]}\nThis follows from what is given.\nIn part"
    assert answer_of(name, cut, "length") == told(name)


@pytest.mark.parametrize("channel", ["wagering", "opt_out", "tools", "natural", "matched"])
@pytest.mark.parametrize("name", KINDS)
def test_the_prompt_itself_says_nothing(name: str, channel: str) -> None:
    question, key, _, _ = KINDS[name]
    prompt = channel_prompt(channel, question)
    lines = prompt.splitlines()
    shuffled = ("\n".join(lines[at:] + lines[:at]) for at in range(len(lines)))
    beginnings = (prompt[:at] for at in range(12, len(prompt)))
    for said in (prompt, "\n".join(reversed(lines)), *shuffled, *beginnings):
        found = read(channel, Reply(said), question, key, prompt=prompt)
        assert (found.answer, found.bet, found.confidence) == (None, None, None), said
        assert not found.tools, said
        assert found.status not in ("ok", "skipped"), said
