"""The row codec of a family, which writes a finished episode into the journal and reads it back.

An episode is one compact text under strict columns, which costs a tenth of a separate Arrow table.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
from isal import isal_zlib

from mirror_ray.core.plain_json import parse_json
from mirror_ray.records.rows.arrow import Columns, escaped_surrogates
from mirror_ray.records.rows.finished import FinishedEpisode, PackedForm, WrittenEpisode

TAKE = "take"
UNREADABLE: tuple[Any, ...] = (
    isal_zlib.error,
    pa.ArrowException,
    ValueError,
    TypeError,
    OverflowError,
    RecursionError,
    EOFError,
)
"""The exceptions of `RowCodec.read` for rows that `RowCodec.write` has not written."""
_FASTEST = 1
_MOST_BYTES = 2**28
"""Most bytes of one episode's rows, because a few packed bytes may expand to gigabytes."""


class RowCodec:
    """Columns of a family's steps and episodes, both with `take`."""

    def __init__(self, family: str, steps: pa.Schema, episode: pa.Schema) -> None:
        self.family = family
        self._schemas = steps, episode
        self._steps, self._episode = _written(steps), _written(episode)

    @property
    def packed(self) -> PackedForm:
        """Return the family and both schemas, for `unpacked`."""
        return PackedForm(self.family, *(one.serialize().to_pybytes() for one in self._schemas))

    @classmethod
    def unpacked(cls, family: str, steps: bytes, episode: bytes) -> "RowCodec":
        """Return the codec that was packed."""
        read = (pa.ipc.read_schema(pa.py_buffer(packed)) for packed in (steps, episode))
        return cls(family, *read)

    def write(self, finished: FinishedEpisode) -> WrittenEpisode:
        """Return an episode's rows in written form, without `take`. Raise RecordError, naming
        column and episode, for a value of another type, a forbidden NULL, or an unknown column."""
        whole, steps = finished.episode, finished.steps
        episode_id = str(whole.get("episode_id"))
        rows = [
            self._episode.values([whole], of=f"episode {episode_id}"),
            self._steps.values(steps, of=f"steps of episode {episode_id}"),
        ]
        try:
            text = _text(rows)
        except UnicodeEncodeError:
            text = _text(escaped_surrogates(rows))  # half a surrogate pair, which models do write
        return WrittenEpisode(
            finished.family,
            episode_id,
            str(whole.get("error_kind")),
            isal_zlib.compress(text, _FASTEST),
        )

    def fitting(self, finished: FinishedEpisode) -> FinishedEpisode:
        """Return the same rows without values that fit no column; `write` accepts the result."""
        (episode,) = self._episode.fitting([finished.episode])
        return FinishedEpisode(finished.family, episode, tuple(self._steps.fitting(finished.steps)))

    def is_readable(self, take: int, rows: bytes) -> bool:
        """Return whether `read` can read the rows; a damaged file may have unreadable ones."""
        try:
            self.read([(take, rows)])
        except UNREADABLE:
            return False
        return True

    def read(self, written: Iterable[tuple[int, bytes]]) -> tuple[pa.Table, pa.Table]:
        """Return tables of the steps' and of the episodes' rows, in the order of (take, rows)
        given. Raise one of `UNREADABLE` if some are faulty; `is_readable` finds which."""
        episodes: list[Sequence[Any]] = []
        steps: list[Sequence[Any]] = []
        takes: list[int] = []
        step_takes: list[int] = []
        for take, rows in written:
            (episode,), its_steps = parse_json(_unpacked(rows))
            episodes.append(episode)
            steps += its_steps
            takes.append(take)
            step_takes += [take] * len(its_steps)
        all_steps, all_episodes = self._schemas
        return (
            _table(self._steps, steps, step_takes, all_steps),
            _table(self._episode, episodes, takes, all_episodes),
        )

    def episodes(self, written: Iterable[tuple[int, bytes]]) -> pa.Table:
        """Return the table of only the episodes' rows. Raise as `read` does."""
        rows = [(take, parse_json(_unpacked(packed))[0]) for take, packed in written]
        takes = [take for take, _ in rows]
        return _table(self._episode, [one for _, (one,) in rows], takes, self._schemas[1])


def _written(schema: pa.Schema) -> Columns:
    return Columns(schema.remove(schema.get_field_index(TAKE)), ignored=(TAKE,))


def _table(
    written: Columns, rows: Sequence[Sequence[Any]], takes: Sequence[int], schema: pa.Schema
) -> pa.Table:
    arrays = written.arrays(rows)
    for array, field in zip(arrays, written.schema, strict=True):
        if array.null_count and not field.nullable:
            raise ValueError(f"column {field.name!r}: NULL")
    place = schema.get_field_index(TAKE)
    arrays.insert(place, pa.array(takes, schema.field(place).type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _unpacked(rows: bytes) -> bytes:
    unpacking = isal_zlib.decompressobj()
    try:
        text: bytes = unpacking.decompress(rows, _MOST_BYTES)
    except isal_zlib.error as error:  # type: ignore[misc]
        raise ValueError(f"rows that cannot be unpacked: {error}") from error
    if not unpacking.eof:
        raise ValueError(f"rows that are cut off, or of more than {_MOST_BYTES:,} bytes")
    return text


def _text(rows: Sequence[Any]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
