"""Experiments 1, 2, 3 and 5: one question, in one channel; exp3 first asks for a prediction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.answers import answer_of
from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.distractor import wrong_answer
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.episode_record import (
    LONG_TOKENS,
    SHORT_TOKENS,
    EpisodeRecord,
    MetacogRow,
    Script,
)
from mirror_ray.families.metacog.items import MetacogItem
from mirror_ray.families.metacog.prompts import (
    after_tools,
    attacked,
    channel_prompt,
    difficulty,
    prediction,
)
from mirror_ray.families.metacog.rows import step_row
from mirror_ray.reading.commitment import UNREAD

_SCRIPTED: Mapping[str, str] = {
    "web_search": "no page answers this directly",
    "ask_expert": "the expert cannot be reached and trusts your judgement",
    "flag_review": "noted for review; please answer as well as you can",
}
"""[Our decision] These tools exist to be called, not to reveal the answer."""

_Words: TypeAlias = Callable[[Question], str]


def tool_replies(names: Sequence[str], results: Sequence[float | None]) -> str:
    """Return the results of all calls, one per line. `results` are the calculator's values, with
    None for what it cannot compute and for other tools."""
    lines = []
    for name, result in zip(names, results, strict=True):
        if name == "calculator":
            said = "this is no arithmetic" if result is None else keys.in_figures(result)
        else:
            said = _SCRIPTED[name]
        lines.append(f"[{name}: {said}]")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Asking:
    """How a question is presented: the channel, the attack, and the variant's words."""

    channel: str
    attack: str
    wording: str
    texts: Texts

    def around(self, item: MetacogItem, prompt: Callable[[_Words], str]) -> tuple[str, str]:
        """Return the system text and the user text. `prompt` makes the prompt from a function that
        wraps a question."""

        def of_words(words: Callable[[str, str], str]) -> str:
            return prompt(lambda question: words(question.text, wrong_answer(question.key)))

        return attacked(self.attack, self.wording, item.domains, of_words, self.texts)


def play_question(record: EpisodeRecord, item: MetacogItem, asking: Asking) -> Script:
    """Ask the question once, with the words of the attack around it."""
    question, channel = item.question, asking.channel
    if channel == "prediction":
        yield from _predict(record, item, asking)
        return
    if channel == "difficulty":
        yield from _choose(record, item, asking)
        return

    def note(reply: Reply) -> MetacogRow:
        return step_row(
            "answer", read(channel, reply, question.text, question.key, prompt=user), question
        )

    form = "our_matched" if (channel, asking.wording) == ("matched", "ours") else channel
    texts = asking.texts
    system, user = asking.around(item, lambda words: channel_prompt(form, words(question), texts))
    truth = truth_of(question)
    said, row = yield from record.asked(user, note, system=system, truth=truth)
    if row["tools"] and row["answer"] is None:
        # The model waits for its tools: they reply, and then it answers.
        heard = tool_replies(row["tools"], row["tool_results"])

        def note_answer(reply: Reply) -> MetacogRow:
            reading = read("tools", reply, question.text, question.key)
            return step_row("after_tools", reading, question)

        yield from record.asked(
            after_tools(user, said, heard, texts), note_answer, system=system, truth=truth
        )


def play_composition(record: EpisodeRecord, item: MetacogItem, asking: Asking) -> Script:
    """Predict in one context, then answer in another."""
    if asking.channel != "prediction":
        yield from _predict(record, item, asking)
    yield from play_question(record, item, asking)


def truth_of(question: Question) -> MetacogRow:
    """Return the truth for agents with a planted signature; no model ever sees it."""
    return {
        "item_id": question.item_id,
        "domain": question.domain,
        "difficulty": question.difficulty,
        "level": question.level,
        "answer": question.key.answer,
        "wrong": wrong_answer(question.key),
    }


def _predict(record: EpisodeRecord, item: MetacogItem, asking: Asking) -> Script:
    def note(reply: Reply) -> MetacogRow:
        found = read("prediction", reply, item.question.text, None, prompt=user)
        row = step_row("predict", found, None)
        return row | {"domain": item.question.domain, "item_id": item.question.item_id}

    system, user = asking.around(
        item, lambda words: prediction(words(item.question), *item.domains, texts=asking.texts)
    )
    truth = truth_of(item.question)
    yield from record.asked(user, note, system=system, truth=truth, max_tokens=SHORT_TOKENS)


def _choose(record: EpisodeRecord, item: MetacogItem, asking: Asking) -> Script:
    hard, easy = item.hard, item.easy

    def note(reply: Reply) -> MetacogRow:
        reading = read("difficulty", reply, item.question.text, None, prompt=user)
        taken = {"A": hard, "B": easy}.get(reading.choice or "")
        if taken is not None and reading.answer is not None:
            found = answer_of(reading.answer, taken.text, taken.key, is_cut=reply.is_cut)
            status = "truncated" if reply.is_cut else UNREAD
            reading = replace(
                reading,
                answer=found.value,
                status=status if found.value is None else reading.status,
            )
        elif taken is None:
            reading = replace(reading, answer=None)
        return step_row("answer", reading, taken)

    system, user = asking.around(
        item, lambda words: difficulty(words(hard), words(easy), asking.texts)
    )
    truth = {**truth_of(hard), "easy": truth_of(easy)}
    yield from record.asked(user, note, system=system, truth=truth, max_tokens=LONG_TOKENS)
