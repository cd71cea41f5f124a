"""A person's play: what is asked, what answers it, and that nothing is shown before it is kept."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.engine.rollout import Asked, AskModel
from mirror_ray.people.playing import PersonPlay
from mirror_ray.people.study import in_order
from mirror_ray.records.journal.entry import Entry

MODEL = "human/p1"


def specs(n: int) -> list[EpisodeSpec]:
    cell = Cell("flipset", "L2", (("subject", MODEL),), None, "paper")
    return [EpisodeSpec(cell, seed, 0) for seed in range(n)]


@dataclass
class TwoAsks:
    """Episodes of two asks each, for letters."""

    planned: list[EpisodeSpec]
    kept: list[str] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    may_keep: asyncio.Event = field(default_factory=asyncio.Event)
    fault: RunDirError | None = None
    may_follow: bool = False
    went_on: int = 0

    def left(self, model: str) -> Sequence[EpisodeSpec]:
        assert model == MODEL
        return [spec for spec in self.planned if spec.scene_seed not in self.ended]

    async def play(self, spec: EpisodeSpec, ask: AskModel) -> None:
        for index in (1, 2):
            user = f"{spec.scene_seed}.{index}?\nA. one\nB. two"
            request = Request(spec.episode_id, index, "c", MODEL, "", user, (), None, None, 9)
            await ask(request, Asked("sha", None, {}))
        self.ended.append(spec.scene_seed)

    async def record(self, entry: Entry) -> Entry:
        await self.may_keep.wait()
        if self.fault is not None:
            raise self.fault
        self.kept.append(entry.reply.text)
        return entry

    async def go_on(self) -> None:
        self.went_on += 1


async def asked(player: PersonPlay) -> tuple[str, str]:
    """The open ask's turn and its words."""
    await player.settled()
    assert player.question is not None
    player.shown()
    return player.question.turn, player.question.request.user[:3]


async def test_asks_come_one_after_another_each_after_the_last_is_kept() -> None:
    episodes = TwoAsks(specs(2))
    player = PersonPlay(MODEL, episodes)
    assert player.state == "waiting"
    player.begin()
    turn, words = await asked(player)
    assert (words, player.state) == ("0.1", "question")
    answering = asyncio.create_task(player.answer(turn, "1", {}))
    await asyncio.sleep(0)
    # It is not kept yet: nothing is open, and nothing further is shown.
    assert (player.question, player.state, episodes.kept) == (None, "waiting", [])
    episodes.may_keep.set()
    await answering
    assert episodes.kept == ["B"]
    for expected in ("0.2", "1.1", "1.2"):
        turn, words = await asked(player)
        assert words == expected
        assert player.question is not None
        assert player.question.is_first == (expected == "1.1")
        await player.answer(turn, "0", {})
    await player.settled()
    assert (player.state, episodes.ended, episodes.went_on) == ("finished", [0, 1], 1)
    await player.close()


async def test_an_answer_to_another_ask_changes_nothing() -> None:
    episodes = TwoAsks(specs(1))
    episodes.may_keep.set()
    player = PersonPlay(MODEL, episodes)
    player.begin()
    first, _ = await asked(player)
    await player.answer("0" * 16, "1", {})
    await player.answer(first, "7", {})
    assert player.question is not None
    assert player.question.note
    assert episodes.kept == []
    await player.answer(first, "1", {})
    # The same page, sent again.
    await player.answer(first, "0", {})
    assert (await asked(player))[1] == "0.2"
    assert episodes.kept == ["B"]
    await player.close()


async def test_a_reply_says_how_long_the_page_stood_there() -> None:
    episodes = TwoAsks(specs(1))
    kept: list[Entry] = []

    async def record(entry: Entry) -> Entry:
        kept.append(entry)
        return entry

    episodes.record = record  # type: ignore[method-assign]
    player = PersonPlay(MODEL, episodes)
    player.begin()
    turn, _ = await asked(player)
    await player.answer(turn, "0", {})
    # Of an ask that nobody has seen there is no such time.
    await player.settled()
    assert player.question is not None
    await player.answer(player.question.turn, "0", {})
    reply = kept[0].reply
    assert reply.latency_s > 0
    assert (kept[1].reply.latency_s, kept[1].reply.started_at) == (0.0, "")
    assert reply.started_at.endswith("+00:00")
    assert (reply.cost_usd, reply.tokens_in, reply.finish_reason) == (0.0, None, "stop")
    await player.close()


async def test_what_cannot_be_kept_ends_the_play_and_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    episodes = TwoAsks(specs(1), fault=RunDirError("there", "a full disk", "room", "make some"))
    episodes.may_keep.set()
    player = PersonPlay(MODEL, episodes)
    player.begin()
    turn, _ = await asked(player)
    await player.answer(turn, "0", {})
    assert player.state == "failed"
    assert "a full disk" in capsys.readouterr().err
    player.begin()
    assert player.state == "failed"
    assert episodes.ended == []


async def test_more_to_play_is_found_on_the_next_look() -> None:
    episodes = TwoAsks([], may_follow=True)
    episodes.may_keep.set()
    player = PersonPlay(MODEL, episodes)
    player.begin()
    await player.settled()
    assert player.state == "later"
    episodes.planned = specs(1)
    player.begin()
    assert (await asked(player))[1] == "0.1"
    await player.close()


def test_the_order_is_the_persons_own_and_stands_when_more_comes() -> None:
    few, many = specs(20), specs(40)
    order = in_order("p1", few)
    assert sorted(order, key=lambda spec: spec.scene_seed) == few
    assert order != few
    assert order != in_order("p2", few)
    assert order == in_order("p1", reversed(few))
    assert [spec for spec in in_order("p1", many) if spec in few] == order
