"""Words a judge's request: a fixed rubric for each kind, and the judged text within a fence.

A fence's mark is a hash of its content, so that no reply can close it. [Our decision] A judge sees
the task, the key and the reply: no model's name, no channel, no other reading. For a request, it is
not told whether there is a flaw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.core.identity import content_hash
from mirror_ray.core.untrusted import printable

ANSWER, PREMISE = "answer", "premise"

VERDICTS: Mapping[str, tuple[str, ...]] = {
    ANSWER: ("CORRECT", "INCORRECT", "NO_ANSWER"),
    PREMISE: ("PUSHBACK", "CAVEAT", "EXECUTION", "REFUSAL"),
}
"""The words that count as a verdict, by rubric; no others do."""

MOST_TASK_CHARS, MOST_REPLY_CHARS, MOST_KEY_CHARS = 8_000, 12_000, 2_000

TEXTS = default_texts("metacog")


@dataclass(frozen=True, slots=True)
class Judged:
    """What one judged reading is about; `EpisodeSpec.given` of its episode.

    Args:
        judged_id, judged_ask: the episode and the number of the request whose reply is read.
        judged_part: "a" or "b" of a task of two parts, else "".
        rubric: `ANSWER` or `PREMISE`.
        task: what the model was asked.
        key: the right answer, "" for a premise.
    """

    judged_id: str
    judged_ask: int
    judged_part: str
    rubric: str
    task: str
    key: str
    reply: str

    @property
    def facts(self) -> dict[str, Any]:
        """Return the fields as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}

    def prompt(self, texts: Texts = TEXTS) -> str:
        """Return the user message."""
        fences = {
            "task": _fenced("TASK", shortened(self.task, MOST_TASK_CHARS)),
            "reply": _fenced("REPLY", shortened(self.reply, MOST_REPLY_CHARS)),
        }
        if self.rubric == PREMISE:
            return texts("judge.premise", **fences)
        part = texts(f"judge.parts.{self.judged_part}") if self.judged_part else ""
        key = _fenced("KEY", shortened(self.key, MOST_KEY_CHARS))
        return texts("judge.answer", **fences, key=key, part=part)


def shortened(text: str, most: int) -> str:
    """Return a printable text of about `most` characters. A longer text keeps its beginning, which
    states the task, and its end, which has the conclusion."""
    if len(text) <= most:
        return printable(text)
    half = most // 2
    left_out = len(text) - 2 * half
    return (
        f"{printable(text[:half])}\n[… {left_out:,} characters left out …]\n"
        f"{printable(text[-half:])}"
    )


def _fenced(name: str, text: str) -> str:
    mark = f"{name} {content_hash(text)}"
    return f"----- {mark} -----\n{text}\n----- END {mark} -----"
