"""The decisions of a run's `until`, in the run directory's `decisions/stopping.parquet`.

It has one row per comparison of two models, or per cell. Decisions are kept even if replies are
read again."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.records.checked_parquet import parquet_of, refuse_altered
from mirror_ray.records.schemas import schemas_in
from mirror_ray.records.shard_checks import MOST_COUNT, check_size, damaged, sound
from mirror_ray.records.storage import make_folder, storage_of, write_whole
from mirror_ray.records.storage_fault import faults_reported

FOLDER, FILE = "decisions", "stopping.parquet"

_VERDICTS = ("better", "worse", "not told apart", "precise", "not precise")

DECISIONS = schemas_in("mirror_ray.records", "decisions.yaml")["decisions"]


@dataclass(frozen=True, slots=True)
class StoppingDecision:
    """A row: see `DECISIONS`."""

    family: str
    condition: str
    temperature: float | None
    variant: str
    model: str
    against: str | None
    metric: str
    rule: str
    bound: float
    round: int
    verdict: str
    probability: float | None
    n_asked: int
    n_planned: int
    n_scored: int
    only_model: int | None = None
    only_against: int | None = None
    alpha: float | None = None
    n_comparisons: int | None = None


def read_decisions(out: str) -> tuple[StoppingDecision, ...]:
    """Return the decisions in run directory `out`, oldest first. Raises RunDirError if the file is
    damaged, or the storage cannot be read."""
    path = f"{out}/{FOLDER}/{FILE}"
    with faults_reported(out, f"{FOLDER}/{FILE} cannot be read"):
        fs, root = storage_of(out)
        (info,) = fs.get_file_info([f"{root}/{FOLDER}/{FILE}"])
        if info.type == pa.fs.FileType.NotFound:
            return ()
        try:
            refuse_altered(fs, [info.path])
            with fs.open_input_file(info.path) as file:
                check_size(path, pq.ParquetFile(file).metadata.num_rows, info.size)
                table = sound(path, pq.read_table(file, page_checksum_verification=True), DECISIONS)
        except pa.ArrowException as error:
            raise damaged(path, str(error)) from error
    decisions = tuple(StoppingDecision(**row) for row in table.select(_NAMES).to_pylist())
    for one in decisions:
        if not _is_possible(one):
            raise damaged(path, f"a decision that cannot be: {one}")
    return decisions


def write_decisions(out: str, decisions: Sequence[StoppingDecision]) -> None:
    """Write all decisions, durably. Raise RunDirError if that fails; the earlier ones remain."""
    table = pa.Table.from_pylist([asdict(one) for one in decisions], schema=DECISIONS)
    with faults_reported(out, f"{FOLDER}/{FILE} cannot be written"):
        fs, root = storage_of(out)
        folder = make_folder(fs, root, FOLDER)
        write_whole(fs, f"{folder}/{FILE}", parquet_of(table, "none"))


_NAMES = [field.name for field in fields(StoppingDecision)]


def _is_possible(one: StoppingDecision) -> bool:
    counts = (one.round, one.n_asked, one.n_planned)
    figures = (one.bound, one.probability or 0.0, one.alpha or 0.0)
    return (
        one.verdict in _VERDICTS
        and all(0 < count <= MOST_COUNT for count in counts)
        and all(isfinite(figure) and 0 <= figure <= 1 for figure in figures)
    )
