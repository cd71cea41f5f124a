"""What the episodes of a run directory have used so far, sealed or not, finished or in flight, read
without disturbing a run in progress."""

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.known_costs import sum_if_known
from mirror_ray.core.plain_json import json_copy
from mirror_ray.core.text_length import prose_chars
from mirror_ray.core.untrusted import bounded_float, bounded_int, text_or_none
from mirror_ray.records.checked_parquet import checked_format, refuse_altered
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.entry import reply_of_written
from mirror_ray.records.journal.journal_tables import check_version
from mirror_ray.records.journal.read_only import read_only_snapshot
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rows.codec import UNREADABLE, RowCodec
from mirror_ray.records.run_folders import MANIFEST_NAME
from mirror_ray.records.schemas import STEPS
from mirror_ray.records.shard_files import EPISODES_FOLDER, STEPS_FOLDER, shard_files
from mirror_ray.records.shards.shard_index import latest_takes, sealed_columns
from mirror_ray.records.storage import home_of, names_in, storage_of
from mirror_ray.records.storage_fault import storage_fault
from mirror_ray.records.sweep_identity import sweep_sha

_UNREADABLE = (
    *(pa.ArrowException, sqlite3.Error, RecursionError),
    *(ValueError, TypeError, KeyError, AttributeError),
)
"""Exceptions raised when reading rows that this program did not write."""

ASKS_READ = 4_000
"""Most sealed requests that are read, over all models, because more would fill the memory."""

_USED = ("tokens_in", "tokens_out", "cost_usd")
_EPISODE_COLUMNS = ("episode_id", "take", "n_asks", "error_kind", *_USED)
_TOLD = ("tokens_in", "tokens_image", "latency_s", "error_kind", "service_tier", "model")
_ASK_COLUMNS = ("episode_id", "system", "user", *_TOLD)


@dataclass(frozen=True, slots=True)
class EpisodeUsage:
    """One episode so far. A sum over its requests is None if one of them is unknown. Unless it has
    `ended` finally, it continues or is played again."""

    asks: int
    ended: bool
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class AskUsage:
    """One answered request. If known: `text_chars` of system and user text, the price tier that
    served it, and the model that was called."""

    episode_id: str
    text_chars: int | None
    tokens_in: int | None
    tokens_image: int | None
    latency_s: float
    service_tier: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """All started episodes, by id, and some of their requests."""

    episodes: Mapping[str, EpisodeUsage]
    asks: tuple[AskUsage, ...]


NO_USAGE = Usage({}, ())


def usage_of(out: str, sweep: Mapping[str, Any]) -> Usage | None:
    """Return the usage in run directory `out` by this resolved sweep (as plain data), or None if
    the directory belongs to another sweep. Raise RunDirError if something there cannot be read."""
    try:
        fs, root = storage_of(out)
        if MANIFEST_NAME not in names_in(fs, root):
            return NO_USAGE
        if read_manifest(out)["sweep_sha"] != sweep_sha(json_copy(sweep)):
            return None
        # The journal is read first: entries that leave it meanwhile are then in a shard.
        journaled, journaled_asks = _read_journal(home_of(out))
        sealed = _episodes_in(sealed_columns(out, EPISODES_FOLDER, _EPISODE_COLUMNS))
        sealed_asks = _asks_in(_first_asks(fs, f"{root}/{STEPS_FOLDER}"))
    except OSError as error:
        raise storage_fault(out, error, "what was used so far cannot be read") from error
    except _UNREADABLE as error:
        raise RunDirError(
            out,
            f"records that cannot be read: {error}",
            "the files this program wrote",
            "restore them from a copy, or use another --out",
        ) from error
    return Usage({**sealed, **journaled}, (*sealed_asks, *journaled_asks))


def _first_asks(fs: Any, folder: str) -> pa.Table:
    # Imported late, because it takes 20 MB in every process that can name a record.
    import pyarrow.dataset as pads  # noqa: PLC0415

    # If a schema is given, the files are not searched for one.
    schema = pa.schema([STEPS.field(name) for name in _ASK_COLUMNS])
    paths = shard_files(fs, folder)
    refuse_altered(fs, paths)
    return pads.dataset(paths, schema, format=checked_format(), filesystem=fs).head(ASKS_READ)


def _read_journal(home: Path) -> tuple[dict[str, EpisodeUsage], list[AskUsage]]:
    path = home / JOURNAL_NAME
    if not path.exists():
        return {}, []
    with read_only_snapshot(home, ("form", "finished", "reply")) as db:
        check_version(str(path), *db.execute("pragma user_version").fetchone())
        forms = db.execute("select form_id, family, steps, episode from form").fetchall()
        finished = {
            form_id: db.execute(
                "select take, rows from finished where form_id = ? order by rowid", (form_id,)
            ).fetchall()
            for form_id, *_ in forms
        }
        replies = db.execute(
            "select episode_id, reply from reply where episode_id not in "
            "(select episode_id from finished) order by episode_id, ask_index"
        ).fetchall()
    episodes: dict[str, EpisodeUsage] = {}
    asks: list[AskUsage] = []
    for form_id, *packed in forms:
        form = RowCodec.unpacked(*packed)
        try:
            steps, ends = form.read(finished[form_id])
        except UNREADABLE:
            steps, ends = form.read(end for end in finished[form_id] if form.is_readable(*end))
        episodes |= _episodes_in(ends)
        asks += _asks_in(steps)
    under_way: dict[str, list[Mapping[str, Any]]] = {}
    for episode_id, reply in replies:
        under_way.setdefault(episode_id, []).append(asdict(reply_of_written(reply)))
    for episode_id, answers in under_way.items():
        episodes[episode_id] = EpisodeUsage(
            len(answers),
            False,
            sum_if_known([bounded_int(reply["tokens_in"]) for reply in answers]),
            sum_if_known([bounded_int(reply["tokens_out"]) for reply in answers]),
            sum_if_known([bounded_float(reply["cost_usd"]) for reply in answers]),
        )
        asks += [_ask(episode_id, reply) for reply in answers if _is_answer(reply)]
    return episodes, asks


def _episodes_in(table: pa.Table) -> dict[str, EpisodeUsage]:
    return {
        row["episode_id"]: EpisodeUsage(
            bounded_int(row["n_asks"]) or 0,
            row["error_kind"] in FINAL_KINDS,
            bounded_int(row["tokens_in"]),
            bounded_int(row["tokens_out"]),
            bounded_float(row["cost_usd"]),
        )
        for row in latest_takes(table.select(_EPISODE_COLUMNS)).to_pylist()
    }


def _asks_in(table: pa.Table) -> list[AskUsage]:
    rows = table.select(_ASK_COLUMNS).to_pylist()
    return [_ask(row["episode_id"], row) for row in rows if _is_answer(row)]


def _is_answer(figures: Mapping[str, Any]) -> bool:
    return figures["error_kind"] in FINAL_KINDS and figures["latency_s"] is not None


def _ask(episode_id: str, row: Mapping[str, Any]) -> AskUsage:
    system, user = row.get("system"), row.get("user")
    return AskUsage(
        episode_id,
        None if user is None else prose_chars(system or "") + prose_chars(user),
        bounded_int(row["tokens_in"]),
        bounded_int(row["tokens_image"]),
        bounded_float(row["latency_s"]) or 0.0,
        text_or_none(row.get("service_tier")),
        text_or_none(row.get("model")),
    )
