"""The channel of an answer: whether a model only answers, or also shows by its acts how sure it is.

`natural` asks as the family's paper does. `wager` and `opt_out` have the formats of arXiv
2604.19809 (channels 1 and 2), so that results with pictures can be compared with those for text
questions. `predict` asks for a probability in a separate conversation before the question is put.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Literal, cast

from mirror_ray.contract.family_files import axis_value
from mirror_ray.core.identity import Cell
from mirror_ray.core.types import Ask, Facts, ParseStatus, Reply, Turn
from mirror_ray.core.untrusted import int_of
from mirror_ray.reading.thinking import without_thinking

Channel = Literal["natural", "wager", "opt_out", "predict"]
AskedFor = Literal["answer", "prediction", "stake"]

PREDICTION_TOKENS = 1024
_LONGEST_READ_CHARS = 65_536

_WAGER = """\
After answering, place a bet on your answer: 1-10 points.
If correct, you gain the points. If wrong, you lose them."""
_OPT_OUT = """\
Scoring: +3 points if correct, -1 point if wrong.
Alternatively, write SKIP for a guaranteed +1 point."""
_EXACTLY = {
    "wager": "Format your response EXACTLY as:\nANSWER: [your answer]\nBET: [1-10]",
    "opt_out": "Format your response as ONE of:\nANSWER: [your answer]\nor\nSKIP",
}
_ENDING = {
    "wager": "End your response EXACTLY with:\nANSWER: [your answer]\nBET: [1-10]",
    "opt_out": "End your response with ONE of:\nANSWER: [your answer]\nor\nSKIP",
}
_PREDICTION = (
    "On a scale of 0–100, how confident are you that you will answer this task correctly?\n"
    "{question}\nDo not answer the task. Reply with the number only."
)
_STAKES = {
    "wager": (
        "Place a bet on it: 1-10 points.\n"
        "If correct, you gain the points. If wrong, you lose them.\n"
        "Format your response EXACTLY as:\nBET: [1-10]"
    ),
    "opt_out": (
        "Scoring: +3 points if correct, -1 point if wrong.\n"
        "Alternatively, write SKIP to hand the task over for a guaranteed +1 point.\n"
        "Format your response as ONE of:\nKEEP\nor\nSKIP"
    ),
}

# Adjacent repetitions share no character, so that reading is linear in the text.
_BET = re.compile(
    r"^[^\w\n]*+(?:my |the |final )?bet\b[*_ \t]*+(?:[:=]|is)[*_ \t\[(]*+"
    r"(?:\\boxed\{)?(?P<bet>-?\d++(?:\.\d++)?)"
    r"(?P<rest>[^\n]*+)$",
    re.IGNORECASE | re.MULTILINE,
)
_UNIT = re.compile(
    r"[\s\])*_`]*+(?>(?:(?:/|out of)\s*+10\b)?)\s*+(?>(?:points?)?)"
    r"[^\w(]*+(?>(?:\([^()\n\d]{0,80}+\))?)[^\w]*+",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"^[^\w\n]*+(?:(?:final )?(?:answer|decision|choice)[*_ \t]*+[:=])?[*_ \t\[]*+"
    r"(?:i(?:['’]ll|['’]d rather|['’]m going to| will| choose to)? )?(?P<word>SKIP|KEEP)"
    r"(?: (?:this|it)(?: one| question| task)?)?"
    r"(?:[^\w(\n]*+(?>(?:\([^()\n]{0,80}+\))?)[^\w\n]*+|[ ][–—-][ ][^\n]*+)$",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(r"\s*+answer\s*+:\s*+(?P<value>[^\n]++)\s*+", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[1-10\]")
_SCALE = re.compile(r"\b0\s?(?:-|–|to)\s?100\b|/\s?100\b|\bout of 100\b")
_NUMBER = re.compile(r"(?<![\w.])-?\d++(?>(?:\.\d++)?)(?![\w.]*+\d)")


@dataclass(frozen=True, slots=True)
class Stake:
    """What a reply says in addition to its answer; None if not requested or not readable.

    Args:
        bet: points, 1 to 10.
        skipped: the question was handed over.
        predicted_percent: 0 to 100.
        problem: why the requested stake could not be read; "" if it could.
    """

    bet: int | None = None
    skipped: bool | None = None
    predicted_percent: int | None = None
    problem: str = ""

    def fields(self, asked_for: AskedFor) -> Facts:
        """Return the shared columns of a request's row."""
        return {
            "asked_for": asked_for,
            "bet": self.bet,
            "skipped": self.skipped,
            "predicted_percent": self.predicted_percent,
        }


def channel_of(cell: Cell) -> Channel:
    """Return the channel of a cell's episodes."""
    return cast("Channel", axis_value(cell, "channel"))


def manner(channel: Channel, *, reasons: bool) -> str | None:
    """Return the text below the question that says how to answer; None: the family's own text. If
    it `reasons`, the model is told to reason first."""
    formats = _ENDING if reasons else _EXACTLY
    if channel == "wager":
        return f"{_WAGER}\n{formats[channel]}"
    if channel == "opt_out":
        return f"{_OPT_OUT}\n{formats[channel]}"
    return None


def prediction_prompt(question: str) -> str:
    """Return the request for the forecast that `predict` makes before the question itself."""
    return _PREDICTION.format(question=question)


def stake_prompt(channel: Channel) -> str:
    """Return the request for a stake after an answer that had none."""
    return _STAKES[channel]


def read_answered(reply: Reply, channel: Channel) -> tuple[Reply, Stake]:
    """Split a reply into the part with the answer, and the stake on it.

    A reply that both skips and answers counts as neither. Nothing is read from a truncated reply.
    """
    if channel not in ("wager", "opt_out") or reply.is_cut:
        return reply, Stake()
    text, stake = _answered(reply.text[-_LONGEST_READ_CHARS:], channel)
    return replace(reply, text=text), stake


def _answered(text: str, channel: Channel) -> tuple[str, Stake]:
    said = without_thinking(text)
    if channel == "wager":
        bet, problem = _bet(said)
        return _unlabelled(_BET.sub("", said)), Stake(bet=bet, problem=problem)
    skips = any(one["word"].upper() == "SKIP" for one in _ALONE.finditer(said))
    if not skips:
        return _unlabelled(said), Stake(skipped=False)
    rest = _ALONE.sub("", said)
    if re.search(r"^[^\w\n]*+(?:final )?answer[*_ \t]*+[:=][^\w\n]*+\w", rest, re.I | re.M):
        return "", Stake(problem="skips and answers")
    return "", Stake(skipped=True)


def read_stake(text: str, channel: Channel) -> tuple[Stake, ParseStatus]:
    """Read the stake on an answer that was given before."""
    said = without_thinking(text[-_LONGEST_READ_CHARS:]).strip()
    if channel == "wager":
        bet, problem = _bet(said)
        if bet is None and not _BET.search(said):
            bet, problem = _lone_number(said, 1, 10)
        exact = re.fullmatch(r"BET: (?:[1-9]|10)", said)
        return Stake(bet=bet, problem=problem), _status(bet is not None, exact is not None)
    words = {one["word"].upper() for one in _ALONE.finditer(said)}
    if len(words) != 1:
        problem = "neither KEEP nor SKIP" if not words else "KEEP and SKIP"
        return Stake(problem=problem), "failed"
    return Stake(skipped=words == {"SKIP"}), _status(True, said in ("KEEP", "SKIP"))


def read_prediction(text: str) -> tuple[Stake, ParseStatus]:
    """Read the probability that a model gives its own answer."""
    said = without_thinking(text[-_LONGEST_READ_CHARS:]).strip()
    percent, problem = _lone_number(said, 0, 100)
    exact = re.fullmatch(r"\d{1,3}", said)
    found = Stake(predicted_percent=percent, problem=problem)
    return found, _status(percent is not None, exact is not None)


def stake_columns(turn: Turn, stake: Stake, status: ParseStatus, asked_for: AskedFor) -> Facts:
    """Return the shared columns of a request for a stake alone. If the text came with an API
    failure, it counts only if it was read exactly."""
    is_lost = turn.reply.error_kind != "none" and status != "strict"
    return {
        "parse_status": None if is_lost else status,
        "parse_fixes": [] if is_lost or not stake.problem else [stake.problem],
        **(Stake() if is_lost else stake).fields(asked_for),
    }


def ask_forecast(ask: Ask) -> Generator[Ask, Turn, tuple[Turn, Facts]]:
    """Ask for a forecast; return the turn and the shared columns of its row."""
    turn = yield replace(ask, max_tokens=PREDICTION_TOKENS)
    return turn, stake_columns(turn, *read_prediction(turn.reply.text), "prediction")


def _status(is_read: bool, is_exact: bool) -> ParseStatus:
    if not is_read:
        return "failed"
    return "strict" if is_exact else "cleaned"


def _bet(text: str) -> tuple[int | None, str]:
    found = [one for one in _BET.finditer(text) if _UNIT.fullmatch(one["rest"])]
    if not found:
        return None, "no bet"
    return _within(found[-1]["bet"], 1, 10)


def _lone_number(text: str, least: int, most: int) -> tuple[int | None, str]:
    numbers = set(_NUMBER.findall(_SCALE.sub(" ", _PLACEHOLDER.sub(" ", text))))
    if len(numbers) != 1:
        return None, "no number" if not numbers else "several numbers"
    return _within(numbers.pop(), least, most)


def _within(written: str, least: int, most: int) -> tuple[int | None, str]:
    whole, _, decimals = written.partition(".")
    value = int_of(whole)
    if value is None or decimals.strip("0") or not least <= value <= most:
        return None, f"not a whole number from {least} to {most}"
    return value, ""


def _unlabelled(text: str) -> str:
    labelled = _LABEL.fullmatch(text)
    return text if labelled is None else labelled["value"].strip().strip("[]")
