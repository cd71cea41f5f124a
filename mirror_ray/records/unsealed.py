"""Episodes that have ended and wait in the journal for the next shard, as rows."""

from collections.abc import Sequence
from contextlib import suppress

import pyarrow as pa

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.rows.codec import UNREADABLE, RowCodec
from mirror_ray.records.schemas import EPISODES
from mirror_ray.records.shard_checks import sound
from mirror_ray.records.storage import home_of

_FORMS = "select form_id, family, steps, episode from form limit 1000"
_FINISHED = "select form_id, take, rows from finished"


def unsealed_episodes(out: str, columns: Sequence[str]) -> pa.Table:
    """Return some of the common columns of the episodes in the journal; damaged rows are left to
    the run. Raises RunDirError if the journal is unusable."""
    schema = pa.schema([EPISODES.field(name) for name in columns])
    home = home_of(out)
    tables = [schema.empty_table()]
    finished = journal_rows(home, _FINISHED)
    if not finished:
        return tables[0]
    codecs: dict[int, RowCodec] = {}
    for number, *packed in journal_rows(home, _FORMS) or ():
        with suppress(*UNREADABLE):
            codecs[number] = RowCodec.unpacked(*packed)
    for form_id, take, rows in finished:
        if form_id in codecs:
            with suppress(*UNREADABLE, RunDirError, KeyError):
                _, episodes = codecs[form_id].read([(take, rows)])
                tables.append(sound("the journal", episodes.select(list(columns)), schema))
    return pa.concat_tables(tables)
