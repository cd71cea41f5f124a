"""The readers of a model's reply, except metacog's."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mirror_ray.asking.channel import read_answered, read_prediction, read_stake
from mirror_ray.core.types import Reply
from mirror_ray.families.contingency.reply import read_reply as read_watcher
from mirror_ray.families.dyad.reply import read_reply as read_walker
from mirror_ray.families.flipset.reply import read_answer
from mirror_ray.families.marktest.reply import read_reply as read_reach
from mirror_ray.families.marktest.words import claim_of, image_as
from mirror_ray.families.mirrorqa.reply import read_choice
from mirror_ray.families.selfid import reply as selfid
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.textmirror import reply as textmirror
from mirror_ray.families.textmirror.attribution import read_attribution
from mirror_ray.families.textmirror.authorship import read_letter
from mirror_ray.families.textmirror.explanation import read_reason
from mirror_ray.families.textmirror.sentence_numbers import SentenceNumbers
from mirror_ray.families.textmirror.sentences import count_words, sentences_of
from mirror_ray.providers import chat_completion, failed_call, probe
from mirror_ray.reading import parsing
from mirror_ray.reading.commitment import commitment
from mirror_ray.reading.kinds.kind import Kind
from mirror_ray.reading.kinds.numbers import Numbers
from mirror_ray.reading.kinds.options import Options, OptionWords
from mirror_ray.reading.kinds.orders import Orders
from mirror_ray.reading.kinds.times import Times
from mirror_ray.reading.kinds.words import OneOf, OwnWords
from mirror_ray.reading.kinds.yes_no import YesNo
from mirror_ray.reading.languages.color_claims import in_english
from mirror_ray.reading.question_facts import question_facts
from mirror_ray.reading.replies.object_or_lines import lines_alone
from mirror_ray.reading.replies.objects import answers_named
from mirror_ray.reading.replies.template_tokens import without_template_tokens
from mirror_ray.reading.replies.verdicts import verdicts_named
from mirror_ray.reading.thinking import without_thinking
from mirror_ray.reading.usable_text import own_turn, usable_text
from mirror_ray.reading.walking.labelled import labelled_fields
from mirror_ray.viewer import words
from support.text_reader import TextReader

QUESTION = "Tom has 187 pencils and gives 49 away at 9:30 am. How many minutes are left?"
STORY = ("The keeper opened the door.", "The child sat down.", "Then her neighbour left early.")


class _Words(OptionWords):
    """Options called "one" and "two"."""

    def stated(self, piece: str) -> str | None:
        return {"one": "A", "two": "B"}.get(piece)

    def mentioned(self, sentence: str) -> frozenset[str]:
        return frozenset(
            "A" if word == "one" else "B" for word in sentence.split() if len(word) == 3
        )


def of_replies() -> Iterator[TextReader]:
    """Every one."""
    yield TextReader("mirror_ray.reading.replies.template_tokens", "reply", without_template_tokens)
    yield TextReader("mirror_ray.reading.parsing", "_cleaned", parsing._cleaned)
    yield TextReader("mirror_ray.reading.replies.object_or_lines", "lines_alone", lines_alone)
    yield TextReader("mirror_ray.reading.thinking", "without_thinking", without_thinking)
    for name in ("E1", "E5"):
        condition = CONDITIONS[name]
        yield TextReader(
            "mirror_ray.families.selfid.reply",
            f"read_reply in {name}",
            lambda text, condition=condition: selfid.read_reply(Reply(text), condition),
        )
    for language in ("de", "es", "zh", "ja"):
        yield TextReader(
            "mirror_ray.families.selfid.reply",
            f"read_reply in E1, {language}",
            lambda text, language=language: selfid.read_reply(
                Reply(text), CONDITIONS["E1"], language
            ),
        )
        yield TextReader(
            "mirror_ray.reading.languages.color_claims",
            f"in_english, {language}",
            lambda text, language=language: in_english(text, language),
        )
    yield TextReader(
        "mirror_ray.families.marktest.reply", "read_reply", lambda text: read_reach(Reply(text))
    )
    yield TextReader(
        "mirror_ray.families.contingency.reply",
        "read_reply",
        lambda text: read_watcher(Reply(text)),
    )
    for talks in (False, True):
        yield TextReader(
            "mirror_ray.families.dyad.reply",
            f"read_reply, {'talking' if talks else 'silent'}",
            lambda text, talks=talks: read_walker(Reply(text), talks=talks),
        )
    yield TextReader("mirror_ray.families.marktest.words", "claim_of", claim_of)
    yield TextReader("mirror_ray.families.marktest.words", "image_as", image_as)
    for channel in ("wager", "opt_out"):
        yield TextReader(
            "mirror_ray.asking.channel",
            f"read_answered, {channel}",
            lambda text, channel=channel: read_answered(Reply(text), channel),
        )
        yield TextReader(
            "mirror_ray.asking.channel",
            f"read_stake, {channel}",
            lambda text, channel=channel: read_stake(text, channel),
        )
    yield TextReader(
        "mirror_ray.families.textmirror.attribution",
        "read_attribution",
        lambda text: read_attribution(text, ("lab/a", "lab/b")),
    )
    yield TextReader("mirror_ray.families.textmirror.explanation", "read_reason", read_reason)
    yield TextReader("mirror_ray.providers.chat_completion", "thoughts", chat_completion._parted)
    yield TextReader(
        "mirror_ray.providers.failed_call",
        "error_words",
        lambda text: failed_call.error_words("TimeoutError", text),
    )
    yield TextReader("mirror_ray.asking.channel", "read_prediction", read_prediction)
    yield TextReader("mirror_ray.reading.replies.objects", "answers_named", answers_named)
    yield TextReader("mirror_ray.reading.usable_text", "own_turn", own_turn)
    yield TextReader(
        "mirror_ray.reading.replies.verdicts",
        "verdicts_named",
        lambda text: verdicts_named(text, "ABCD"),
    )
    yield TextReader("mirror_ray.reading.walking.labelled", "labelled_fields", labelled_fields)
    for options in (("d", "b", "p", "q"), ("Yes, it can", "No")):
        for prompting in ("direct", "cot"):
            yield TextReader(
                "mirror_ray.families.flipset.reply",
                f"read_answer, {prompting}, {len(options)} options",
                lambda text, options=options, prompting=prompting: read_answer(
                    Reply(text), options, prompting
                ),
            )
    facts = question_facts(QUESTION, "number")
    kinds: Mapping[str, Kind] = {
        "numbers": Numbers(facts),
        "options": Options("AB", _Words()),
        "orders": Orders(("elm", "oak")),
        "times": Times(facts),
        "words": OwnWords(facts),
        "yes_no": YesNo(),
    }
    for name, kind in kinds.items():
        yield TextReader(
            f"mirror_ray.reading.kinds.{name}",
            "commitment",
            lambda text, kind=kind: commitment(text, kind),
        )
    for module in ("commitment", "kinds.kind"):
        yield TextReader(
            f"mirror_ray.reading.{module}",
            "commitment to one of two",
            lambda text: commitment(text, OneOf(question_facts("Is it elm or oak?", "text"))),
        )
    yield TextReader(
        "mirror_ray.reading.usable_text",
        "usable_text",
        lambda text: usable_text(text, f"{text[len(text) // 2 :]}\n{QUESTION}"),
    )
    yield TextReader(
        "mirror_ray.reading.question_facts",
        "question_facts",
        lambda text: [question_facts(text, kind) for kind in ("text", "number", "letter")],
    )
    for options in (("left front", "right front", "left rear", "right rear"), ("left", "right")):
        yield TextReader(
            "mirror_ray.families.mirrorqa.reply",
            f"read_choice, {len(options)} options",
            lambda text, options=options: read_choice(text, options),
        )
    yield from _of_textmirror()
    yield TextReader("mirror_ray.providers.probe", "colours", probe._names_the_colours)
    yield TextReader("mirror_ray.viewer.words", "indented", words.indented)


def _of_textmirror() -> Iterator[TextReader]:
    module = "mirror_ray.families.textmirror.reply"
    reads: Mapping[str, Callable[[str], Any]] = {
        "read_prompts": textmirror.read_prompts,
        "read_text": textmirror.read_text,
        "read_sentence": textmirror.read_sentence,
        "read_number": lambda text: textmirror.read_number(text, range(1, 6)),
        "read_quoted_sentence": lambda text: textmirror.read_quoted_sentence(text, STORY),
    }
    for name, read in reads.items():
        yield TextReader(module, name, lambda text, read=read: textmirror.heard(Reply(text), read))
    yield TextReader("mirror_ray.families.textmirror.authorship", "read_letter", read_letter)
    yield TextReader(
        "mirror_ray.families.textmirror.sentence_numbers",
        "commitment",
        lambda text: commitment(text, SentenceNumbers()),
    )
    yield TextReader("mirror_ray.families.textmirror.sentences", "sentences_of", sentences_of)
    yield TextReader("mirror_ray.families.textmirror.sentences", "count_words", count_words)
