"""Chooses the replies of earlier stages that a judge reads; plays and reads a judgement.

[Our decision] By default these are the free replies: answers to keys of words (`text`, `open`) and
replies to requests. ``judged_keys: all`` adds the closed keys, which rules read; ``judged_keys:
unread`` takes the replies that the rules left unread, for every key. A judgement follows from its
reply alone, not from how the rules read it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from mirror_ray.contract.family import advance
from mirror_ray.contract.listing import Earlier, Shape
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.metacog.episode_record import EpisodeRecord, MetacogRow, Script
from mirror_ray.families.metacog.judge_prompt import ANSWER, PREMISE, VERDICTS, Judged
from mirror_ray.families.metacog.reading import MetacogReading
from mirror_ray.families.metacog.rows import step_row
from mirror_ray.families.metacog.settings import setting
from mirror_ray.reading.commitment import UNREAD
from mirror_ray.reading.thinking import without_thinking

JUDGE = "judge"
"""The condition, the role of its model, and the key of a stage that names it."""

_FREE_KEYS = frozenset({"text", "open"})

_ANSWERING = frozenset(
    ("answer", "after_tools", "baseline", "burn", "retry", "related", "unrelated", "pressed")
)
"""Phases whose reply answers a question."""

_REPLIES = """
select
    steps.episode_id, steps.ask, steps.phase, steps.status, steps.user, steps.reply,
    steps.truth, steps.key_kind, steps.key_kind_a, steps.key_kind_b,
    episodes.experiment, episodes.scene_seed, episodes.run, episodes.answer_kind,
    episodes.truth_a, episodes.truth_b, episodes.routed_a, episodes.routed_b
from steps
inner join episodes using (episode_id)
where
    episodes.condition <> 'judge' and episodes.error_kind = 'none' and not steps.superseded
    and ($judged = 'all' or episodes.experiment = $judged)
order by episodes.run, episodes.scene_seed, steps.episode_id, steps.ask
"""

_VERDICT = re.compile(r"[*_`#> \t]*+(?>(?:verdict[*_` \t]*+[:=][*_` \t]*+)?)([a-z_]++)[*_`. \t]*+")
_LABELLED = re.compile(r"[*_`#> \t]*+verdict\b", re.IGNORECASE)
_LONGEST_VERDICT_CHARS = 20_000


def judged_episodes(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    """Return a judgement for each reply of earlier stages that the cell's settings choose."""
    if earlier is None:
        return
    rows = earlier.rows(_REPLIES, judged=setting(cell, "judged"))
    by_episode: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_episode.setdefault(row["episode_id"], []).append(row)
    for steps in by_episode.values():
        for judged in _judged_in(steps, setting(cell, "judged_keys")):
            yield EpisodeSpec(cell, steps[0]["scene_seed"], steps[0]["run"], judged.facts)


def presumed_judged(
    cell: Cell, before: Sequence[EpisodeSpec], playing: Any
) -> Iterator[EpisodeSpec]:
    """Return the expected judgements; each reply has the typical length.

    With ``judged_keys: unread`` every reply is counted, because it is unknown which will be read.

    Args:
        playing: spec → the episode in progress.
    """
    chosen = setting(cell, "judged")
    # All models get the same questions, so each question is played only once.
    played: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for spec in before:
        if spec.cell.condition == JUDGE:
            continue
        what = (*_MET(spec.cell), spec.scene_seed, id(spec.given) if spec.given else None)
        if what not in played:
            played[what] = list(_typical_rows(playing(spec)))
        rows = [{**row, "episode_id": spec.episode_id} for row in played[what]]
        if chosen in ("all", rows[0]["experiment"]):
            keys = setting(cell, "judged_keys")
            for judged in _judged_in(rows, "all" if keys == "unread" else keys):
                yield EpisodeSpec(cell, spec.scene_seed, spec.run, judged.facts)


def play_judgement(record: EpisodeRecord, judged: Judged) -> Script:
    """Ask the judge once; a reply without a verdict becomes NULL."""

    def note(reply: Reply) -> MetacogRow:
        verdict = read_verdict(reply, judged.rubric)
        status = "ok" if verdict else "truncated" if reply.is_cut else UNREAD
        reading = MetacogReading(
            status, parse_status="strict" if verdict else "failed", n_words=len(reply.text.split())
        )
        return step_row(JUDGE, reading, None) | about | {"verdict": verdict}

    about = {
        "judged_id": judged.judged_id,
        "judged_ask": judged.judged_ask,
        "judged_part": judged.judged_part,
        "rubric": judged.rubric,
    }
    record.fields |= about
    system = record.texts("judge.system")
    yield from record.asked(judged.prompt(record.texts), note, system=system, role=JUDGE)


def read_verdict(reply: Reply, rubric: str) -> str | None:
    """Return the verdict of a judge's reply if its last or only line has one of the rubric's words
    and nothing more. Otherwise (several verdicts, other words, a truncated reply) return None."""
    if reply.is_cut or len(reply.text) > _LONGEST_VERDICT_CHARS:
        return None
    lines = [line for line in reply.text.splitlines() if line.strip()]
    if not lines or sum(_LABELLED.match(line) is not None for line in lines) > 1:
        return None
    said = _VERDICT.fullmatch(lines[-1].casefold())
    is_labelled = _LABELLED.match(lines[-1]) is not None
    if said is None or not (is_labelled or len(lines) == 1):
        return None
    word = said[1].upper()
    return word if word in VERDICTS[rubric] else None


def _judged_in(asks: Iterable[Mapping[str, Any]], keys: str) -> Iterator[Judged]:
    """Return the judgements that `judged_keys` requests."""
    asks = list(asks)
    waited = any(row["phase"] == "after_tools" for row in asks)
    for row in asks:
        reply = without_thinking(row["reply"] or "").strip()
        if not reply or row["status"] == "skipped" or (waited and row["phase"] == "answer"):
            continue
        if keys == UNREAD and row["status"] != UNREAD:
            continue
        for part, kind, key in _keys_of(row):
            rubric = PREMISE if kind == PREMISE else ANSWER
            if rubric == PREMISE or (key and (keys != "free" or kind in _FREE_KEYS)):
                yield Judged(
                    row["episode_id"], row["ask"], part, rubric, row["user"] or "", key, reply
                )


def _keys_of(row: Mapping[str, Any]) -> Iterator[tuple[str, str | None, str]]:
    if row["experiment"] == "exp6b":
        yield "", PREMISE, ""
    elif row["phase"] == "parts":
        for part in ("a", "b"):
            if not row[f"routed_{part}"]:
                yield part, row[f"key_kind_{part}"], row[f"truth_{part}"] or ""
    elif row["phase"] in _ANSWERING:
        yield "", row["key_kind"] or row["answer_kind"], row["truth"] or ""


_MET = attrgetter("condition", "variant", "axes")

_TYPICAL = shipped_yaml("mirror_ray.families.metacog", "typical_replies.yaml")


def _typical_rows(play: Any) -> Iterator[dict[str, Any]]:
    asked: list[str] = []
    turn = None
    while isinstance(reached := advance(play, turn), Ask):
        asked.append(reached.user)
        turn = Turn(Observation((), None, {}), Reply(_TYPICAL["shortest"]))
    end: Outcome = reached
    fields = dict.fromkeys(_EPISODE_FIELDS) | dict(end.fields)
    for number, (user, step) in enumerate(zip(asked, end.steps, strict=True), 1):
        row = dict.fromkeys(_STEP_FIELDS) | dict(step)
        yield {
            **{name: fields[name] for name in _EPISODE_FIELDS},
            **{name: row[name] for name in _STEP_FIELDS},
            "ask": number,
            "user": user,
            "reply": _TYPICAL["line"] * 5,
        }


_STEP_FIELDS = ("phase", "status", "truth", "key_kind", "key_kind_a", "key_kind_b")
_EPISODE_FIELDS = ("experiment", "answer_kind", "truth_a", "truth_b", "routed_a", "routed_b")
