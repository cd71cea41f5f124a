"""Every table of a run, computed from its shards alone, as one digest each."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow.parquet as pq

from mirror_ray.analysis.derived import write_derived
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.attestation.contents import MANIFEST
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.identity import content_hash

_LAYERS = ("metric", "agency", "twin", "contrast", "ablation", "summary", "paper")
_DIGITS = 9
"""Significant digits that count; a sum in another order may differ in the sixteenth."""


@contextmanager
def copied_run(directory: Path, files: Iterable[str], manifest: str) -> Iterator[Path]:
    """Create a run directory from some files of another one, with `manifest` as the text of its
    manifest. It is removed at the end."""
    with TemporaryDirectory(prefix="mirror-ray-") as made:
        out = Path(made) / "run"
        out.mkdir()
        (out / MANIFEST).write_text(manifest, encoding="utf-8")
        for name in files:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            try:
                # A hard link is enough, because nothing is written into a shard.
                os.link(directory / name, out / name)
            except OSError:
                shutil.copyfile(directory / name, out / name)
        yield out


@contextmanager
def computed_again(directory: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a run whose intervals and paired tests are computed again and replaced."""
    write_derived(str(directory))
    with open_run(str(directory), hold=True, keep=False) as run:
        yield run


def table_digests(directory: Path, run: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the digest of each table's rows, in any order; empty tables are left out."""
    folders = (directory / "episodes").iterdir() if (directory / "episodes").exists() else ()
    found = {
        f"intervals/{path.name}": _digest(pq.read_table(path).to_pylist())
        for path in sorted((directory / "intervals").glob("*.parquet"))
    }
    views = run.execute(
        "select schema_name, view_name from duckdb_views() where not internal"
        " and list_contains($1, schema_name) order by all",
        [list(_LAYERS)],
    ).fetchall()
    absent = tuple(set(METRICS) - {path.name.partition("=")[2] for path in folders})
    for layer, name in views:
        if name.split("_")[0] in absent:
            continue
        rows = run.execute(f'from "{layer}"."{name}"').fetchall()
        found[f"{layer}.{name}"] = _digest([dict(enumerate(row)) for row in rows])
    return {name: digest for name, digest in found.items() if digest}


def _digest(rows: Sequence[Mapping[Any, Any]]) -> str:
    if not rows:
        return ""
    lines = sorted(content_hash(_plain(row)) for row in rows)
    return sha256("\n".join(lines).encode()).hexdigest()[:32]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | bool | None) else str(value)
