"""A family with two columns and an arithmetic of its own, for tests of the engine without GL.

Each step shows a grey square and asks for a number; "stop" ends the episode, four steps at most.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from mirror_ray.contract.family import Family
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask, Encoding, Image, Outcome, Play, Reply, Request
from mirror_ray.engine.rollout import Asked, DrawnPicture
from mirror_ray.records.journal.entry import Entry

MODEL = "scripted/counter"


@dataclass(frozen=True, slots=True)
class Grey:
    level: int
    encoding: Encoding = "png"


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    rows = []
    total = int(rng.integers(100))
    for step in range(1, 5):
        turn = yield Ask(
            "subject", step, f"rules of {spec.run}", f"so far {total}", (Grey(total % 256),)
        )
        rows.append({"heard": turn.reply.text, "parse_status": "strict"})
        if turn.reply.error_kind != "none":
            return Outcome(False, False, turn.reply.error_kind, {"total": total}, tuple(rows))
        if turn.reply.text == "stop":
            return Outcome(True, False, "none", {"total": total}, tuple(rows))
        total += int(turn.reply.text) + int(rng.integers(10))
    return Outcome(False, True, "none", {"total": total}, tuple(rows))


def tiny(play_it=play) -> Family:
    return Family(
        name="tiny",
        conditions={"T": "nothing"},
        variants={"plain": "as it is"},
        axes={},
        step_columns=pa.schema([pa.field("heard", pa.string())]),
        episode_columns=pa.schema([pa.field("total", pa.int64())]),
        fact_columns=(),
        play=play_it,
        max_asks=lambda spec: 4,
        sampled_by=("counter", "counter"),
    )


def spec_of(run: int = 0) -> EpisodeSpec:
    return EpisodeSpec(Cell("tiny", "T", (("subject", MODEL),), 0.5, "plain"), 7, run)


class Table:
    """Where a tiny episode is played: draws, answers and journals, all in memory."""

    def __init__(self, texts=("3", "4", "5", "6")) -> None:
        self.texts = texts
        self.drawn: list[Grey] = []
        self.requests: list[Request] = []
        self.entries: list[Entry] = []

    async def draw(self, view: Grey) -> DrawnPicture:
        self.drawn.append(view)
        sha = f"{view.level:064x}"
        return DrawnPicture(Image(bytes([view.level]), "png", 1, 1, sha), {"level": view.level})

    async def ask(self, request: Request, asked: Asked) -> Entry:
        self.requests.append(request)
        reply = Reply(
            self.texts[request.ask_index - 1],
            cost_usd=0.25,
            tokens_in=10,
            tokens_out=1,
            started_at="2026-01-01T00:00:00.000+00:00",
        )
        self.entries.append(asked.answered(request, reply))
        return self.entries[-1]
