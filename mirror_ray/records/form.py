"""The form of a family's rows: how a finished episode is written into the journal and read back.

Knows strict columns and one compact text per episode; does not know SQLite, nor where the columns
come from. To be written costs an episode a tenth of what an Arrow table of its own would: tables
are made when many are read together.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from isal import isal_zlib

from mirror_ray.records.finished import FinishedEpisode, WrittenEpisode
from mirror_ray.records.plain import PlainRows
from mirror_ray.records.rows import Row, table_of

TAKE = "take"
_FASTEST = 1


class Form:
    """Columns of a family's steps and episodes, a nullable-free `take` among both.

    Args:
        steps, episode: their schemas.
    """

    def __init__(self, family: str, steps: pa.Schema, episode: pa.Schema) -> None:
        self.family = family
        self._schemas = steps, episode
        self._steps, self._episode = _Columns(steps), _Columns(episode)

    @property
    def packed(self) -> tuple[bytes, bytes]:
        """Both schemas, for `unpacked`."""
        steps, episode = (schema.serialize().to_pybytes() for schema in self._schemas)
        return steps, episode

    @classmethod
    def unpacked(cls, family: str, steps: bytes, episode: bytes) -> "Form":
        """The form that was packed."""
        read = (pa.ipc.read_schema(pa.py_buffer(packed)) for packed in (steps, episode))
        return cls(family, *read)

    def write(self, finished: FinishedEpisode) -> WrittenEpisode:
        """An episode's rows, as they are to be kept; their `take` is left out.

        Raises:
            RecordError: a value of another type, a NULL where none may be, or an unknown column;
                names column and episode.
        """
        whole, steps = finished.episode, finished.steps
        episode_id = str(whole.get("episode_id"))
        try:
            plain = [self._episode.plain([whole]), self._steps.plain(steps)]
            text = None if None in plain else _text(plain)
        except UnicodeEncodeError:
            text = None  # half a surrogate pair, which models do write: to be mended
        if text is None:
            text = _text(
                [
                    self._episode.strict([whole], of=f"episode {episode_id}"),
                    self._steps.strict(steps, of=f"steps of episode {episode_id}"),
                ]
            )
        return WrittenEpisode(
            finished.family,
            episode_id,
            str(whole.get("error_kind")),
            isal_zlib.compress(text, _FASTEST),
        )

    def read(self, written: Iterable[tuple[int, bytes]]) -> tuple[pa.Table, pa.Table]:
        """Tables of the steps' and of the episodes' rows, in the order given.

        Args:
            written: (take, rows) of each episode.
        """
        episodes: list[Sequence[Any]] = []
        steps: list[Sequence[Any]] = []
        takes: list[int] = []
        step_takes: list[int] = []
        for take, rows in written:
            (episode,), its_steps = json.loads(isal_zlib.decompress(rows))
            episodes.append(episode)
            steps += its_steps
            takes.append(take)
            step_takes += [take] * len(its_steps)
        return self._steps.table(steps, step_takes), self._episode.table(episodes, takes)


class _Columns:
    """The columns of one kind of rows; what is written of them goes in their order, but for `take`.

    Args:
        schema: all of them.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._written = pa.schema([field for field in schema if field.name != TAKE])
        self._plain = PlainRows(list(self._written))

    def plain(self, rows: Sequence[Row]) -> list[tuple[Any, ...]] | None:
        """The rows' values, column after column; None where they have to be looked at closely."""
        found = []
        for row in rows:
            values = self._plain.values(_without_take(row))
            if values is None:
                return None
            found.append(values)
        return found

    def strict(self, rows: Sequence[Row], of: str) -> list[list[Any]]:
        """The same of rows that are not plain; RecordError where they do not fit."""
        table = table_of([_without_take(row) for row in rows], self._written, of=of)
        return [list(row.values()) for row in table.to_pylist()]

    def table(self, rows: Sequence[Sequence[Any]], takes: Sequence[int]) -> pa.Table:
        """Written rows under the whole schema."""
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(self._written)
        arrays = [
            pa.array(values, field.type)
            for values, field in zip(columns, self._written, strict=True)
        ]
        take = self._schema.get_field_index(TAKE)
        arrays.insert(take, pa.array(takes, self._schema.field(take).type))
        return pa.Table.from_arrays(arrays, schema=self._schema)


def _without_take(row: Row) -> Mapping[str, Any]:
    return {name: value for name, value in row.items() if name != TAKE}


def _text(rows: Sequence[Any]) -> bytes:
    """UnicodeEncodeError where a text holds half a surrogate pair."""
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
