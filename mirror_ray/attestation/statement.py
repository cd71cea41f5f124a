"""The statement that a seal signs: an in-toto statement about one run directory."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.dataset as pads

from mirror_ray.analysis.reading import Reading
from mirror_ray.attestation.contents import MANIFEST, SHARD_FOLDERS, digests, read_journal, run_root
from mirror_ray.attestation.tables import computed_again, copied_run, table_digests
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.environment import versions
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.manifest import mapping_of, of_all_runs, read_manifest
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.replay.rescore import seal_leftovers

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:mirror-ray:evaluation:1"

UNCHECKED = (
    "that the provider served the model it names, and that the replies came from it",
    "that no other run of the same sweep was discarded; a registration in a public place helps",
    "the times in the record",
)
"""What no seal can prove."""

_PRICES = ("usd_per_mtok_in", "usd_per_mtok_out", "tier")
_ESTIMATES = """
select
    family, condition, model, temperature, variant, metric, n, n_replies, n_read, estimate, ci_low,
    ci_high
from metric.estimates
where list_contains($leading, family || ' ' || metric) order by all
"""


def shards_of(files: Iterable[str]) -> list[str]:
    """Return those of a run's files that are shards."""
    return [name for name in files if name.partition("/")[0] in SHARD_FOLDERS]


def statement_of(directory: str) -> dict[str, Any]:
    """Return the statement about a run directory on this machine, which no run may be using.

    Episodes that a killed run left in the journal are first moved to shards.

    Raises:
        RunDirError: it is not a run directory, in use, or damaged.
    """
    manifest = read_manifest(directory)
    with RunDir(directory, manifest["sweep"]) as run:
        if (run.home / JOURNAL_NAME).exists():
            asyncio.run(seal_leftovers(directory))
        folder = Path(directory)
        text = (folder / MANIFEST).read_text(encoding="utf-8")
        files, journal = digests(folder), read_journal(run.home)
        with copied_run(folder, shards_of(files), text) as copy, computed_again(copy) as run_again:
            tables = table_digests(copy, run_again)
            leading = [f"{family} {metrics.leading}" for family, metrics in METRICS.items()]
            results = Reading(run_again).rows(_ESTIMATES, leading=leading)
        prompts, n_episodes, n_replies = _asked(directory)
    root = run_root(files, journal)
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": str(manifest["sweep"]["name"]), "digest": {"sha256": root}}],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "sealed_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "harness": versions(),
            "n_episodes": n_episodes,
            "n_replies": n_replies,
            "results": results,
            "prompts": prompts,
            "prices": _prices(manifest),
            "manifest": text,
            "files": files,
            "journal": None if journal is None else asdict(journal),
            "tables": tables,
            "unchecked": UNCHECKED,
        },
    }


def _asked(directory: str) -> tuple[dict[str, Any], int, int]:
    n_episodes = sealed_columns(directory, "episodes", ("episode_id",)).num_rows
    n_replies = sealed_columns(directory, "steps", ("episode_id",)).num_rows
    columns = ("family", "condition", "variant", "episode_id", "ask", "system", "user")
    first = sealed_columns(directory, "steps", columns, where=pads.field("ask") == 1)
    prompts: dict[str, Any] = {}
    for row in first.sort_by("episode_id").to_pylist():
        what = f"{row['family']} {row['condition']} {row['variant']}"
        prompts.setdefault(what, {"system": row["system"], "user": row["user"]})
    return prompts, n_episodes, n_replies


def _prices(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {key: mapping_of(about).get(key) for key in _PRICES}
        for name, about in of_all_runs(manifest, "models").items()
    }
