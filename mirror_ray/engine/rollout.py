"""Plays one episode, fresh or resumed: drives the family's generator from the record, then live."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from time import monotonic
from typing import NoReturn, TypeAlias

from mirror_ray.contract.family import Family, advance
from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.errors import EngineError, RenderError
from mirror_ray.core.identity import EpisodeSpec, content_hash
from mirror_ray.core.types import Ask, Facts, Image, Observation, Outcome, Reply, Request, View
from mirror_ray.engine.episode_rows import AskRow, ask_row, check_columns, finished_episode
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.finished import FinishedEpisode


class Stopped(Exception):  # noqa: N818 - an order, not an error
    """The episode stops before its next request; its paid replies are in the journal."""


class RecordMismatchError(Exception):
    """A recorded reply answers another prompt than the episode now sends."""


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A drawn and encoded view, with the ground truth of what it shows."""

    image: Image
    facts: Facts


@dataclass(frozen=True, slots=True)
class Asked:
    """What the journal keeps of a request besides its reply, which may come from a partner
    model."""

    prompt_sha: str
    frame_sha: str | None
    facts: Facts
    is_partner: bool = False

    def answered(self, request: Request, reply: Reply) -> Entry:
        """Return the request with its reply, for the record."""
        return Entry(
            episode_id=request.episode_id,
            ask_index=request.ask_index,
            prompt_sha=self.prompt_sha,
            frame_sha=self.frame_sha,
            facts=self.facts,
            reply=reply,
            partner=request.model if self.is_partner else None,
        )


DrawView: TypeAlias = Callable[[View], Awaitable[DrawnPicture]]
AskModel: TypeAlias = Callable[[Request, Asked], Awaitable[Entry]]
"""Returns the recorded entry of a request; for a repeated request, that of the first time."""


async def rollout(
    family: Family,
    spec: EpisodeSpec,
    *,
    sweep: str,
    prefix: Sequence[Entry],
    draw: DrawView,
    ask: AskModel,
) -> FinishedEpisode:
    """Play an episode to its end and return its rows, even if it fails.

    Args:
        prefix: its recorded entries, which need neither a call nor a picture.
        draw: draws and encodes a view.
        ask: sends a request; failures are replies with an `error_kind`.

    Raises:
        Stopped: from `ask` or `draw`; the episode will be resumed and has no rows.
        EngineError: the engine cannot continue; the episode is to be played elsewhere.
    """
    asks: list[AskRow] = []
    began_s = monotonic()
    try:
        outcome = await _play(family, spec, prefix, asks, draw=draw, ask=ask)
        check_columns(family, outcome, len(asks))
        error = asks[-1]["error"] if asks and outcome.error_kind != "none" else None
    except (Stopped, EngineError):
        raise
    except RenderError as reason:
        outcome, error = _failure("render"), one_line(reason)
    except Exception as reason:
        # Any failure of a family affects only its own episode.
        outcome, error = _failure("internal"), one_line(reason)
    return finished_episode(
        family,
        spec,
        sweep=sweep,
        asks=asks,
        outcome=outcome,
        error=error,
        wall_s=monotonic() - began_s,
    )


async def abandoned(
    family: Family, spec: EpisodeSpec, *, sweep: str, prefix: Sequence[Entry], reason: str
) -> FinishedEpisode:
    """Return the rows of an episode that cannot be played: its requests, and why it failed."""

    async def refuse(*_: object) -> NoReturn:
        raise RuntimeError(reason)

    finished = await rollout(family, spec, sweep=sweep, prefix=prefix, draw=refuse, ask=refuse)
    return FinishedEpisode(
        finished.family,
        {**finished.episode, "error_kind": "internal", "error": reason, "wall_s": None},
        finished.steps,
    )


def _failure(kind: ErrorKind) -> Outcome:
    return Outcome(terminated=False, truncated=False, error_kind=kind, fields={}, steps=())


def one_line(reason: BaseException) -> str:
    """Return an exception as one readable line; if Ray passed it on, its cause."""
    reason = getattr(reason, "cause", None) or reason
    text = " ".join(str(reason).split())
    return f"{type(reason).__name__}: {text}" if text else type(reason).__name__


async def _play(
    family: Family,
    spec: EpisodeSpec,
    prefix: Sequence[Entry],
    asks: list[AskRow],
    *,
    draw: DrawView,
    ask: AskModel,
) -> Outcome:
    recorded: Mapping[int, Entry] = {entry.ask_index: entry for entry in prefix}
    with closing(family.play(spec, spec.rng())) as play:
        reached = advance(play)
        while isinstance(reached, Ask):
            index = len(asks) + 1
            entry = recorded.get(index)
            if entry is None:
                entry = await _live(spec, index, reached, draw, ask)
            else:
                _check_words(entry, reached)
            # Only the row is kept, because the pictures of a whole episode would take megabytes.
            asks.append(ask_row(index, reached, entry.frame_sha, entry.reply))
            reached = advance(play, entry.turn)
    return reached


def _check_words(entry: Entry, question: Ask) -> None:
    if entry.prompt_sha != question.prompt_sha:
        raise RecordMismatchError(
            f"the recorded reply to ask {entry.ask_index} answers other words than are asked now: "
            "the task has changed since; finish this run with the version that began it, "
            "or start a new run directory"
        )


async def _live(
    spec: EpisodeSpec, index: int, question: Ask, draw: DrawView, ask: AskModel
) -> Entry:
    pictures = [await draw(view) for view in question.views]
    observation = observe(pictures)
    request = Request(
        episode_id=spec.episode_id,
        ask_index=index,
        cell_id=spec.cell.cell_id,
        model=spec.cell.model_of(question.role),
        system=question.system,
        user=question.user,
        images=observation.images,
        reply_schema=question.reply_schema,
        temperature=spec.cell.temperature,
        max_tokens=question.max_tokens,
        truth=question.truth,
    )
    is_partner = request.model != spec.cell.model
    asked = Asked(question.prompt_sha, observation.frame_sha, observation.facts, is_partner)
    return await ask(request, asked)


def observe(pictures: Sequence[DrawnPicture]) -> Observation:
    """Return the facts of a request's picture; if there are several, a list under ``views``."""
    images = tuple(picture.image for picture in pictures)
    if len(pictures) == 1:
        return Observation(images, images[0].rgb_sha, pictures[0].facts)
    if not pictures:
        return Observation((), None, {})
    frame_sha = content_hash(*(image.rgb_sha for image in images))
    return Observation(images, frame_sha, {"views": [picture.facts for picture in pictures]})
