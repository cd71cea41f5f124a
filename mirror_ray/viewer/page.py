"""The content of an episode's page, in order; a template lays it out.

The columns that all families share are known by name; a family's own are sorted by type."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.replay.episode import ReplayStep
from mirror_ray.viewer.episode_record import ViewedRecord
from mirror_ray.viewer.pictures import PagePicture, ShownView, plan_picture, sights
from mirror_ray.viewer.timeline import Track, is_short, tracks, troubles
from mirror_ray.viewer.words import NULL_TEXT, indented, seconds, time, usd, value_text
from sim_assets.colors import COLORS

_NOT_SCORES = ("failed", "cluster")
"""Columns not listed: the page shows errors at the top, and only tables need the unit."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A short value. `color` is the body colour that it names, or ""."""

    name: str
    text: str
    color: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A longer text under its name."""

    name: str
    text: str


Line = tuple[str, str]
"""A name and its value, as text."""


@dataclass(frozen=True, slots=True)
class AskView:
    """One request of the episode.

    Args:
        number: from 1.
        anchor: its address within the page, without #.
        counts: whether its reply decided the step, and was not asked for again.
        role, model: the called model and its role; `is_one_of_several` roles of the episode.
        sights, plan: its pictures; empty if nothing can be drawn.
        seen_by_partners: what the other roles were shown last.
        badges, passages: what the family read from the reply.
        flags: the family's boolean columns, of which true ones have a badge.
        asked: the text that was sent.
        reply, reply_json: the reply as it came, and indented if it is JSON.
        troubles: each problem, in a few words.
        figures: the family's other columns.
        call: the call's attempts, tokens, cost and time.
    """

    number: int
    step: int
    anchor: str
    role: str
    counts: bool
    sights: tuple[ShownView, ...]
    plan: PagePicture | None
    model: str
    is_one_of_several: bool
    seen_by_partners: tuple["SeenBeside", ...]
    badges: tuple[Badge, ...]
    passages: tuple[Passage, ...]
    flags: tuple[Line, ...]
    asked: tuple[Passage, ...]
    reply: str
    reply_json: str | None
    reasoning: str | None
    troubles: tuple[str, ...]
    figures: tuple[Line, ...]
    call: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SeenBeside:
    """The last frame of another role: that of request `number`, at `anchor` of the page."""

    role: str
    model: str
    number: int
    step: int
    anchor: str
    frame: PagePicture


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """A whole page.

    Args:
        partners: (role, model) of all called models except the episode's own.
        facts, scores: the family's columns of the episode, and its scores.
        terms: score → its heading and meaning, for those that are metrics.
        note: why pictures are missing, or None.
        last_step: how many steps there are.
    """

    episode: StoredRow
    temperature: str
    outcome: str
    facts: tuple[Line, ...]
    scores: tuple[Line, ...]
    terms: Mapping[str, tuple[str, str]]
    totals: tuple[Line, ...]
    note: str | None
    tracks: tuple[Track, ...]
    asks: tuple[AskView, ...]
    last_step: int
    partners: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class _Own:
    """A family's own columns of the steps: all, those with texts, and those with short texts."""

    names: tuple[str, ...]
    texts: tuple[str, ...]
    short: frozenset[str]


def page_of(record: ViewedRecord, scores: StoredRow) -> EpisodePage:
    """Return the page of an episode. `scores` is its row in its family's view of scores, or {}."""
    episode, steps = record.episode, record.steps
    own = _own(steps)
    asked = dict.fromkeys((row["role"], row["model"]) for row in steps)
    asks: list[AskView] = []
    last: dict[str, SeenBeside] = {}
    for row, anchor, replay_step in zip_longest(steps, _anchors(steps), record.replay_steps):
        partners = tuple(one for role, one in last.items() if role != row["role"])
        ask = _ask(row, anchor, replay_step, own)
        asks.append(replace(ask, is_one_of_several=len(asked) > 1, seen_by_partners=partners))
        if ask.sights:
            frame = ask.sights[-1].frame
            seen = SeenBeside(ask.role, ask.model, ask.number, ask.step, anchor, frame)
            last[ask.role] = seen
    return EpisodePage(
        episode=episode,
        temperature=_temperature(episode["temperature"]),
        outcome=_outcome(episode),
        facts=_own_lines(episode, EPISODES.names),
        scores=_own_lines(scores, [*EPISODES.names, *episode, *_NOT_SCORES]),
        terms=_terms(episode["family"]),
        totals=(
            ("asks", value_text(episode["n_asks"])),
            ("tokens in", value_text(episode["tokens_in"])),
            ("tokens out", value_text(episode["tokens_out"])),
            ("cost", usd(episode["cost_usd"])),
            ("time", seconds(episode["wall_s"])),
            ("ended", time(episode["finished_at"])),
        ),
        note=record.note,
        tracks=tracks(steps, own.names),
        asks=tuple(asks),
        last_step=max((ask.step for ask in asks), default=0),
        partners=tuple(one for one in asked if one[0] != SUBJECT and len(asked) > 1),
    )


def _own(steps: Sequence[StoredRow]) -> _Own:
    names = [name for name in (steps[0] if steps else ()) if name not in STEPS.names]
    values = {name: [row[name] for row in steps if row[name] is not None] for name in names}
    texts = [
        name
        for name in names
        if values[name] and all(isinstance(value, str) for value in values[name])
    ]
    short = frozenset(name for name in texts if is_short(values[name]))
    return _Own(tuple(names), tuple(texts), short)


def _anchors(steps: Sequence[StoredRow]) -> list[str]:
    """Name the requests: the last one of a step counts and has the step's name; earlier ones are
    tries."""
    last = {row["step"]: row["ask"] for row in steps}
    tries: dict[int, int] = {}
    anchors = []
    for row in steps:
        step = row["step"]
        if last[step] == row["ask"]:
            anchors.append(f"step-{step}")
        else:
            tries[step] = tries.get(step, 0) + 1
            anchors.append(f"step-{step}-try-{tries[step]}")
    return anchors


def _ask(row: StoredRow, anchor: str, replay_step: ReplayStep | None, own: _Own) -> AskView:
    badges = [
        Badge(name, row[name], row[name] if row[name] in COLORS else "")
        for name in own.texts
        if name in own.short and row[name]
    ]
    flags = [(name, row[name]) for name in own.names if isinstance(row[name], bool)]
    return AskView(
        number=row["ask"],
        step=row["step"],
        anchor=anchor,
        role=row["role"],
        counts=not row["superseded"],
        sights=() if replay_step is None else sights(replay_step),
        plan=None if replay_step is None else plan_picture(replay_step),
        model=row["model"],
        is_one_of_several=False,
        seen_by_partners=(),
        badges=(*badges, *(Badge("", name, "") for name, is_set in flags if is_set)),
        passages=tuple(
            Passage(name, row[name]) for name in own.texts if name not in own.short and row[name]
        ),
        flags=tuple((name, value_text(is_set)) for name, is_set in flags),
        asked=tuple(Passage(name, row[name]) for name in ("system", "user") if row[name]),
        reply=row["reply"] or "",
        reply_json=indented(row["reply"] or ""),
        reasoning=row["reasoning"],
        troubles=troubles(row),
        figures=tuple(
            (name, value_text(row[name]))
            for name in own.names
            if name not in own.texts and row[name] is not None and row[name] != []
        )
        + ((("frame SHA-256", row["frame_sha"]),) if row["frame_sha"] else ()),
        call=_call(row),
    )


def _call(row: StoredRow) -> tuple[Line, ...]:
    lines = [
        ("tokens in", value_text(row["tokens_in"])),
        ("of them cached", value_text(row["tokens_cached"])),
        ("of them pictures", value_text(row["tokens_image"])),
        ("tokens out", value_text(row["tokens_out"])),
        ("cost", usd(row["cost_usd"])),
        ("latency", seconds(row["latency_s"])),
        ("attempts", value_text(row["attempts"])),
        ("read", value_text(row["parse_status"])),
        ("repairs", ", ".join(row["parse_fixes"] or ()) or NULL_TEXT),
        ("finish reason", value_text(row["finish_reason"])),
        ("error", value_text(row["error"])),
        ("model version", value_text(row["model_version"])),
        ("sent", time(row["started_at"])),
    ]
    lines += [
        (f"failed attempt {number}", f"{failed['error_kind']}: {failed['error'] or NULL_TEXT}")
        for number, failed in enumerate(row["failed_attempts"] or (), start=1)
    ]
    return tuple(line for line in lines if line[1] != NULL_TEXT)


def _outcome(episode: StoredRow) -> str:
    if episode["error_kind"] != "none":
        return f"error: {episode['error_kind']}"
    return "cut off" if episode["truncated"] else "answered"


def _own_lines(row: StoredRow, common: Sequence[str]) -> tuple[Line, ...]:
    return tuple(
        (name, value_text(value))
        for name, value in row.items()
        if name not in common and value not in (None, "")
    )


def _temperature(value: float | None) -> str:
    return "the provider's temperature" if value is None else f"temperature {value_text(value)}"


def _terms(family: str) -> Mapping[str, tuple[str, str]]:
    if family not in METRICS:
        return {}
    return {one.name: (one.heading, one.meaning) for one in METRICS[family].metrics}
