"""What `until` has decided, on disk: as it was written, and refused where it was not written so."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.decisions import DECISIONS, read_decisions, write_decisions
from support.analysis.decided import decided

MADE = decided("E1", "scripted/observer", "scripted/mute")


def test_what_was_written_is_read(tmp_path):
    assert read_decisions(str(tmp_path)) == ()
    write_decisions(str(tmp_path), MADE)
    alone = replace(MADE[0], against=None, temperature=None, probability=None, verdict="precise")
    write_decisions(str(tmp_path), (*MADE, alone))
    assert read_decisions(str(tmp_path)) == (*MADE, alone)


def test_in_an_object_store(bucket):
    write_decisions(f"{bucket}/run", MADE)
    assert read_decisions(f"{bucket}/run") == MADE


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("verdict", "best"),
        ("round", 0),
        ("n_planned", 2**40),
        ("probability", float("nan")),
        ("bound", -1.0),
        ("model", "two\nlines"),
        ("family", "../x"),
    ],
)
def test_a_decision_that_cannot_be_is_refused(tmp_path, column, value):
    write_decisions(str(tmp_path), MADE)
    path = tmp_path / "decisions" / "stopping.parquet"
    table = pq.read_table(path)
    place = DECISIONS.get_field_index(column)
    wrong = pa.array([value] * table.num_rows, DECISIONS.field(column).type)
    pq.write_table(table.set_column(place, DECISIONS.field(column), wrong), path)
    with pytest.raises(RunDirError, match=r"stopping\.parquet"):
        read_decisions(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"x" * 100])
def test_what_is_no_table_is_refused(tmp_path, content):
    write_decisions(str(tmp_path), MADE)
    (tmp_path / "decisions" / "stopping.parquet").write_bytes(content)
    with pytest.raises(RunDirError):
        read_decisions(str(tmp_path))
