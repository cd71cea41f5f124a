"""Experiments 1, 2, 3 and 5: one question, in one channel; exp3 asks for a prediction first.

Knows the order of asks; the question comes from a listing, or else from the generated banks.
"""

from mirror_ray.tasks.metacog.channels import read
from mirror_ray.tasks.metacog.distractor import wrong_answer
from mirror_ray.tasks.metacog.items import Item
from mirror_ray.tasks.metacog.prompts import FORMATS, after_tools, difficulty, prediction
from mirror_ray.tasks.metacog.prompts_attack import attacked
from mirror_ray.tasks.metacog.question import Question
from mirror_ray.tasks.metacog.rows import step_row
from mirror_ray.tasks.metacog.sheet import LONG_TOKENS, SHORT_TOKENS, Row, Script, Sheet
from mirror_ray.tasks.metacog.tools import tool_replies
from mirror_ray.types import Reply


def play_question(sheet: Sheet, item: Item, channel: str, attack: str) -> Script:
    """Ask the question once, behind the words of the attack."""
    question = item.question
    if channel == "prediction":
        yield from _predict(sheet, item, attack)
        return
    if channel == "difficulty":
        yield from _choose(sheet, item, attack)
        return

    def note(reply: Reply) -> Row:
        return step_row("answer", read(channel, reply, question.text, question.key), question)

    system, user = attacked(attack, FORMATS[channel](question.text), item.domains)
    truth = truth_of(question)
    said, row = yield from sheet.asked(user, note, system=system, truth=truth)
    if row["tools"] and row["answer"] is None:
        # It waits for its tools: they reply, and it answers.
        heard = tool_replies(row["tools"], row["tool_results"])

        def note_answer(reply: Reply) -> Row:
            reading = read("tools", reply, question.text, question.key)
            return step_row("after_tools", reading, question)

        yield from sheet.asked(
            after_tools(user, said, heard), note_answer, system=system, truth=truth
        )


def play_composition(sheet: Sheet, item: Item, channel: str) -> Script:
    """Predict in one context, then answer in another."""
    if channel != "prediction":
        yield from _predict(sheet, item, "none")
    yield from play_question(sheet, item, channel, "none")


def truth_of(question: Question) -> Row:
    """What agents with a planted signature need to know; no model ever sees it."""
    return {
        "item_id": question.item_id,
        "domain": question.domain,
        "difficulty": question.difficulty,
        "answer": question.key.answer,
        "wrong": wrong_answer(question.key),
    }


def _predict(sheet: Sheet, item: Item, attack: str) -> Script:
    def note(reply: Reply) -> Row:
        row = step_row("predict", read("prediction", reply, item.question.text, None), None)
        return row | {"domain": item.question.domain, "item_id": item.question.item_id}

    system, user = attacked(attack, prediction(item.question.text, *item.domains), item.domains)
    truth = truth_of(item.question)
    yield from sheet.asked(user, note, system=system, truth=truth, max_tokens=SHORT_TOKENS)


def _choose(sheet: Sheet, item: Item, attack: str) -> Script:
    hard, easy = item.hard, item.easy

    def note(reply: Reply) -> Row:
        reading = read("difficulty", reply, item.question.text, None)
        taken = {"A": hard, "B": easy}.get(reading.choice or "")
        return step_row("answer", reading, taken)

    system, user = attacked(attack, difficulty(hard.text, easy.text), item.domains)
    truth = {**truth_of(hard), "easy": truth_of(easy)}
    yield from sheet.asked(user, note, system=system, truth=truth, max_tokens=LONG_TOKENS)
