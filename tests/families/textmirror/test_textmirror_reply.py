"""Replies of the text mirror test, as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.families.textmirror.reply import (
    read_letter,
    read_number,
    read_prompts,
    read_quoted_sentence,
    read_sentence,
)

FIVE = range(1, 6)
STORY = ("The tide came in.", "Nobody saw the boat leave.", "It was late.")


@pytest.mark.parametrize(
    ("text", "number", "status", "in_range"),
    [
        ("3", 3, "strict", True),
        (" 4 \n", 4, "strict", True),
        ("Sentence 2.", 2, "coerced", True),
        ("The second sentence, not 4.", 2, "coerced", True),
        ("The strange one is number 4.", 4, "coerced", True),
        ("2 or 3", None, "failed", False),
        ("I cannot name 1 of them.", None, "failed", False),
        ("1-5", None, "failed", False),
        ("0", 0, "strict", False),
        ("12", 12, "strict", False),
        ("None of them", None, "failed", False),
        ("", None, "failed", False),
        ("9" * 400, None, "failed", False),
    ],
)
def test_a_number_counts_where_it_is_the_answer(text, number, status, in_range):
    read = read_number(text, FIVE)
    assert (read.value, read.status) == (number, status)
    assert (read.value in FIVE) == in_range == (read.problem is None)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1 is fine, 2 is odd.\nANSWER: 2", 2),
        ("ANSWER: 3\nNo, wait.\n**Answer:** 4", 4),
        ("Sentence 1 fits. Sentence 5 does not.", None),
        ("I cannot say.", None),
    ],
)
def test_after_thinking_aloud_the_last_answer_counts(text, number):
    assert read_number(text, FIVE).value == number


@pytest.mark.parametrize(
    ("text", "number", "status"),
    [
        ("Nobody saw the boat leave.", 2, "strict"),
        ("nobody saw the boat leave", 2, "strict"),
        ('The strange one is: "It was late."', 3, "coerced"),
        ("Nobody saw a boat leave.", 2, "coerced"),
        ("The tide came in. It was late.", None, "failed"),
        ("All of it is strange to me, frankly.", None, "failed"),
        ("", None, "failed"),
    ],
)
def test_a_repeated_sentence_is_found(text, number, status):
    read = read_quoted_sentence(text, STORY)
    assert (read.value, read.status) == (number, status)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A new sentence.", "A new sentence."),
        ('"A new sentence."', "A new sentence."),
        ("“A new sentence.”", "A new sentence."),
        ('"Go," she said. "Now."', '"Go," she said. "Now."'),
        ("  \n", None),
    ],
)
def test_quotation_marks_around_a_whole_sentence_are_not_part_of_it(text, sentence):
    assert read_sentence(text).value == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("**Revised sentence:** The tide: late.", "The tide: late."),
        ("Revised sentence: It rained.", "It rained."),
        ("*Sentence 3:* It rained.", "It rained."),
        ("My new version: “It rained.”", "It rained."),
        ("Here is the revised sentence: It rained.", "It rained."),
        ("**Option**: It rained.", "**Option**: It rained."),
        ("The sentence was clear: ten years.", "The sentence was clear: ten years."),
        ("New: ", "New:"),
        ("One thing was certain: it rained.", "One thing was certain: it rained."),
    ],
)
def test_a_label_before_a_sentence_is_not_part_of_it(text, sentence):
    assert read_sentence(text).value == sentence


@pytest.mark.parametrize(
    ("text", "prompts", "status"),
    [
        ('["A cat.", "A dog."]', ("A cat.", "A dog."), "strict"),
        ('```python\n["A cat.", "A dog."]\n```', ("A cat.", "A dog."), "cleaned"),
        ("prompts = ['A cat.', \"A dog's day.\"]", ("A cat.", "A dog's day."), "coerced"),
        ("1. A cat.\n2. A dog.\n", ("A cat.", "A dog."), "coerced"),
        ('["A cat.", "A cat.", " "]', ("A cat.",), "strict"),
        ("__import__('os').system('x')", None, "failed"),
        ("I would rather not.", None, "failed"),
        ("[" * 5_000, None, "failed"),
    ],
)
def test_lists_of_prompts(text, prompts, status):
    read = read_prompts(text)
    assert (read.value, read.status) == (prompts, status)


@pytest.mark.parametrize(
    ("text", "letter", "status"),
    [
        ("A", "A", "strict"),
        (" b. ", "B", "cleaned"),
        ("(A)", "A", "cleaned"),
        ("**A**", "A", "cleaned"),
        ("I wrote B.", "B", "coerced"),
        ("Answer: A", "A", "coerced"),
        ("A) The tide came in.", "A", "coerced"),
        ("A\n\nThe rhythm is mine.", "A", "coerced"),
        ("A because it has my rhythm.", "A", "coerced"),
        ("A is mine.", "A", "coerced"),
        ("Of the two, A sounds like me.", "A", "coerced"),
        ("I would pick A over the other.", "A", "coerced"),
        ("A careful choice. Answer: B", "B", "coerced"),
        ("Sentence A is shorter than B. I wrote **A**.", "A", "coerced"),
        ("A or B? B has a comma that A lacks. My answer: A", "A", "coerced"),
        ("The second one, because the first is too plain.", "B", "coerced"),
        ("A sounds like me, while B was written by somebody else.", "A", "coerced"),
        ("B was written by somebody else, so A is mine.", "A", "coerced"),
        ("$\\boxed{B}$", "B", "coerced"),
        ("A is mine. No, wait. On second thought, **B**.", "B", "coerced"),
        ("I'd go with A rather than B.", "A", "coerced"),
        ("Option 1", "A", "coerced"),
    ],
)
def test_letters(text, letter, status):
    read = read_letter(text)
    assert (read.value, read.status) == (letter, status)


@pytest.mark.parametrize(
    "text",
    [
        "A careful choice",
        "A boat came in.",
        "Answer: A careful choice",
        "It was late. A boat came in.",
        "“A boat came in.”",
        "THIS IS A HARD CHOICE",
        "A-frame houses are B-movie material in the U.S.A.",
        "A or B?",
        "A and B are alike.",
        "I wrote A. Also, I wrote B.",
        "**A** or **B**",
        "I'd say it could be A or B.",
        "Neither",
        "",
    ],
)
def test_an_article_is_no_letter(text):
    read = read_letter(text)
    assert (read.value, read.status) == (None, "failed")
    assert read.problem


NOUNS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9).filter(
    lambda word: not read_letter(f"A {word}").value
)


@given(st.lists(NOUNS, min_size=1, max_size=6), st.sampled_from(["A", "B"]))
def test_what_an_article_begins_changes_no_answer(words, letter):
    told = f"A {' '.join(words)}."
    assert read_letter(told).value is None
    for shape in ("({0})", "Answer: {0}", "{0}.", "I wrote {0}", "**{0}**", "{0}, because"):
        assert read_letter(f"{told} {shape.format(letter)}").value == letter
        assert read_letter(f"{shape.format(letter)}\n{told}").value == letter


@given(st.text("abAB .,:()'\"\n-", max_size=40))
def test_a_letter_that_is_read_stands_in_the_reply(text):
    letter = read_letter(text).value
    assert letter is None or letter in text.upper()
    if "A" in text.split() and "B" in text.split() and letter:
        # Both are there as words: the other one must be an article.
        assert letter == "B"


@pytest.mark.parametrize(
    "text",
    ['"' + '\\"' * 50_000, "```" + "\n" * 99_990 + "x", "x" + "\n" * 99_990 + "x", "1'" * 50_000],
    ids=["escapes", "fence", "lines", "apostrophes"],
)
def test_a_hostile_list_is_read_in_one_pass(text):
    """What goes over the text again at each of its characters takes minutes here."""
    assert read_prompts(text).value is None


def test_a_hostile_choice_is_read_in_one_pass():
    assert read_letter("A" + " " * 99_990 + "x").value is None
    assert read_letter("A x. " * 25_000).value is None


def test_hostile_sentences_are_compared_in_bounded_work():
    """In full, 50,000 characters of two letters take longer than anybody waits."""
    sentences = ["ab" * 25_000, "ba" * 25_000, "a b" * 15_000, "aab" * 15_000]
    assert read_quoted_sentence("a" * 25_000 + "b" * 25_000, sentences).value is None


def test_of_many_sentences_the_most_alike_is_taken():
    story = [f"The keeper counted {name}." for name in ("ten gulls", "nine boats", "a lamp", "him")]
    assert read_quoted_sentence("The keeper counts nine boats.", story).value == 2


@given(st.text(max_size=300))
def test_whatever_a_model_writes_is_read_or_said_to_be_unreadable(text):
    for read in (
        read_number(text, FIVE),
        read_quoted_sentence(text, STORY),
        read_prompts(text),
        read_letter(text),
        read_sentence(text),
    ):
        assert (read.value is None) == (read.status == "failed")
        assert read.status != "failed" or read.problem
