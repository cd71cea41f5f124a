"""Runs of the text mirror test written by hand, in the records' real schemas."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import content_hash
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

SCHEMA = with_family_columns(EPISODES, columns_of("textmirror").episodes)
ASKS = with_family_columns(STEPS, columns_of("textmirror").steps)


@dataclass(frozen=True)
class Answered:
    """One episode; `predicted` None is a reply without a number. An attribution has a verdict only
    where it is `scored`."""

    author: str = "a"
    editor: str | None = "b"
    position: int = 1
    predicted: int | None = 1
    condition: str = "recognition"
    reader: str | None = None
    scene_seed: int = 0
    variant: str = "paper"
    words: tuple[int, int] = (10, 10)
    failed: bool = False
    kept: bool | None = None
    n_sentences: int = 5
    named: str | None = None
    scored: bool = False


def write_textmirror_run(directory: Path, episodes: Iterable[Answered]) -> str:
    rows = [_row(number, one) for number, one in enumerate(episodes)]
    folder = directory / "episodes" / "family=textmirror"
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / "part.parquet")
    asked = {**_blank(ASKS), "ask": 1, "take": 1}
    shared = ("episode_id", "cell_id", "condition", "model", "error_kind")
    asks = [{**asked, **{name: row[name] for name in shared}} for row in rows]
    folder = directory / "steps" / "family=textmirror"
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(asks, ASKS), folder / "part.parquet")
    return str(directory)


def _blank(schema: pa.Schema) -> dict[str, object]:
    return {field.name: None if field.nullable else _BLANK[field.type] for field in schema}


def varied_readers() -> list[Answered]:
    """Something for every view: all stages, own and foreign revisions, hits and misses."""
    return [
        *(Answered(condition="story", author=author, kept=author == "a", scene_seed=seed)
          for author in "ab" for seed in range(3)),
        *(Answered(condition="revision", editor=editor, scene_seed=seed, position=1 + seed)
          for editor in "ab" for seed in range(3)),
        *(Answered(condition=condition, editor=editor, scene_seed=seed, position=1,
                   predicted=told, words=(10, 10 + seed))
          for condition in ("recognition", "authorship") for editor in "ab"
          for seed, told in enumerate((1, 2, None))),
        *(Answered(reader="b", editor=editor, scene_seed=seed, variant="paper+reads=others",
                   predicted=1 + seed % 2)
          for editor in "ab" for seed in range(3)),
        *(Answered(condition="attribution", editor=editor, scene_seed=seed, named=said)
          for editor in "ab" for seed, said in enumerate(("a", "b", None))),
        *(Answered(condition="explanation", scene_seed=seed, named=said)
          for seed, said in enumerate(("Other", "Inconsistent Tone", None))),
        # No such invariant is broken by a sound run.
        Answered(position=7, predicted=7, scene_seed=9),
    ]  # fmt: skip


def _row(number: int, one: Answered) -> dict[str, object]:
    asked = (one.condition in ("recognition", "authorship") or one.scored) and not one.failed
    said = one.predicted
    at_most = one.n_sentences if one.condition == "recognition" else 2
    at_least = 0 if one.variant == "allow_zero" else 1
    model = {"story": one.author, "revision": one.editor}.get(one.condition)
    return {
        **_blank(SCHEMA),
        "family": "textmirror",
        "condition": one.condition,
        "model": model or one.reader or one.author,
        "cell_id": content_hash(model or one.reader or one.author, one.condition),
        "episode_id": content_hash(number),
        "scene_seed": one.scene_seed,
        "run": 0,
        "take": 1,
        "finished_at": "2026-01-01T00:00:00+00:00",
        "temperature": 0.7,
        "variant": one.variant,
        "error_kind": "server" if one.failed else "none",
        "n_sentences": one.n_sentences,
        "author": one.author,
        "editor": None if one.condition == "story" else one.editor,
        "reader": one.reader or one.author
        if one.condition in ("recognition", "authorship", "attribution")
        else None,
        # Of a reader: the revision it was shown.
        "parent_id": content_hash(one.author, one.editor, one.scene_seed) if asked else None,
        "position": one.position,
        "original_words": one.words[0],
        "revised_words": one.words[1],
        "revised_sentence": "Other words.",
        "kept": one.kept,
        "makers": ["a", "b"] if one.condition == "attribution" else None,
        "named": one.named if one.condition == "attribution" else None,
        "reason": one.named if one.condition == "explanation" else None,
        "predicted": said if asked else None,
        "valid": (said is not None and at_least <= said <= at_most) if asked else None,
        "correct": (said == one.position) if asked and one.variant != "unchanged" else None,
    }


_BLANK = {
    pa.string(): "",
    pa.int32(): 0,
    pa.int64(): 0,
    pa.float64(): 0.0,
    pa.bool_(): False,
    pa.list_(pa.string()): [],
}


def read(directory: Path, episodes: list[Answered], sql: str) -> list[dict[str, Any]]:
    """What a query answers over a run of these episodes."""
    with open_run(write_textmirror_run(directory, episodes)) as connection:
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
