"""The episodes of the public data set: one per row, with its picture and its solved examples.

A row's examples depend only on the row, so that requesting more rows later changes none. A picture
is identified by its content, so that moving the folder does not make it another episode."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from mirror_ray.contract.listing import Earlier, Shape
from mirror_ray.core.errors import RenderError, SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, seeded
from mirror_ray.core.types import Facts
from mirror_ray.families.mirrorqa.folder import FolderRow, Split, pictures_of, read_split
from mirror_ray.families.mirrorqa.settings import MAX_SHOTS, Settings
from mirror_ray.world.photo import FileView, view_of_file


def rows_of_folder(cell: Cell, shape: Shape, _earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    """Return one episode for each run of each row that `seeds` names.

    A list names rows, counted from 0. A number takes that many rows, in a seeded order in which
    every beginning has the split's proportions of kinds and answers. The published rows are sorted
    by these, and a sweep may stop anywhere.

    Raises:
        SweepError: no folder, an unreadable line, missing pictures, no such row, too few examples.
    """
    folder, name = str(shape.options["data"]), str(shape.options["split"])
    where = f"{shape.where}.data"
    if not folder:
        raise SweepError(
            where,
            "nothing",
            "the folder of MirrorQA's data set",
            "data: PATH, with the data from github.com/stargazer-zeno/MirrorQA; the condition "
            "sim needs none",
        )
    settings = Settings.of(cell)
    split = read_split(folder, name, where)
    seeds = shape.seeds
    if isinstance(seeds, range):
        seeds = balanced_order(split, name)[: len(seeds)]
    beyond = [seed for seed in shape.seeds if seed >= len(split.rows)]
    if beyond:
        raise SweepError(
            f"{shape.where}.seeds",
            f"row {beyond[0]}",
            f"rows 0 to {len(split.rows) - 1}: {split.file} has {len(split.rows)}",
            f"seeds: {len(split.rows)}",
        )
    rows = [split.rows[seed] for seed in seeds]
    pool = read_split(folder, "train", where) if settings.shots else split
    shown = _Pictures(settings, where)
    shown.locate(split, sorted(rows, key=lambda row: row.line))
    for run in range(shape.runs):
        examples = [
            _examples(row, pool, seed, run, settings.shots)
            for seed, row in zip(seeds, rows, strict=True)
        ]
        if any(len(each) < settings.shots for each in examples):
            raise SweepError(
                f"{shape.where}.shots",
                str(settings.shots),
                f"no more than other pictures in the {len(pool.rows)} rows of {pool.file}",
                "ask with fewer shots",
            )
        shown.locate(pool, [example for each in examples for example in each])
        for seed, row, solved in zip(seeds, rows, examples, strict=True):
            given = {
                "split": name,
                **shown.given(row),
                "quirks": list(row.quirks),
                "examples": [shown.given(example) for example in solved],
                **({"label": row.label} if row.label else {}),
            }
            yield EpisodeSpec(cell, seed, run, given, shown.places([row, *solved]))


def balanced_order(split: Split, name: str) -> list[int]:
    """Return the numbers of all rows in a seeded order that spreads every kind and answer
    evenly."""
    strata: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(split.rows):
        strata.setdefault((row.kind, row.answer), []).append(place)
    rng = seeded("mirrorqa order", name)
    ranked: list[tuple[float, int]] = []
    for _, places in sorted(strata.items()):
        offset = float(rng.random())
        shuffled = rng.permutation(len(places))
        ranked += [((rank + offset) / len(places), places[i]) for rank, i in enumerate(shuffled)]
    return [place for _, place in sorted(ranked)]


def _examples(row: FolderRow, pool: Split, seed: int, run: int, count: int) -> list[FolderRow]:
    if count == 0:
        return []
    others = [other for other in pool.rows if other.image != row.image]
    rng = seeded("mirrorqa examples", row.image, seed, run)
    drawn = rng.choice(len(others), size=min(MAX_SHOTS, len(others)), replace=False)
    return [others[i] for i in drawn[:count]]


class _Pictures:
    """Rows in the form that an episode is given, with pictures if they are shown."""

    def __init__(self, settings: Settings, where: str) -> None:
        self._text_only = settings.text_only
        self._where = where
        self._paths: dict[str, Path] = {}

    def locate(self, split: Split, rows: list[FolderRow]) -> None:
        if not self._text_only:
            self._paths |= pictures_of(split, rows, self._where)

    def given(self, row: FolderRow) -> dict[str, Any]:
        return {
            "name": row.image,
            "kind": row.kind,
            "question": row.question,
            "options": list(row.options),
            "answer": row.answer,
            "picture": None if self._text_only else self._picture(row.image),
        }

    def places(self, rows: list[FolderRow]) -> dict[str, str]:
        """Return the picture's path by file name; {} if none is shown."""
        return {} if self._text_only else {row.image: str(self._paths[row.image]) for row in rows}

    def _picture(self, image: str) -> Facts:
        path = self._paths[image]
        try:
            view = _view(str(path), path.stat().st_mtime_ns)
        except (RenderError, OSError) as error:
            raise SweepError(
                f"{self._where}: {image}", str(error), "a whole picture", "download the file again"
            ) from error
        return {"sha256": view.sha256, "width_px": view.width_px, "height_px": view.height_px}


@lru_cache(maxsize=16_384)
def _view(path: str, _changed_ns: int) -> FileView:
    return view_of_file(path)
