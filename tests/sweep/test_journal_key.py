"""`journal`: where the journal of a run in an object store is replicated."""

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.records.sweep_identity import sweep_sha
from mirror_ray.sweep.load import load_plan

REPLICATE = "journal.replicate=s3://bucket/journals"


@pytest.fixture(autouse=True)
def store_here(bucket):
    """Plans look into the run directory."""
    return bucket


def test_it_is_no_part_of_a_sweeps_identity(store_here):
    plain = load_plan("quickstart", out=f"{store_here}/run")
    replicated = load_plan("quickstart", [REPLICATE], f"{store_here}/run")
    assert (plain.sweep.replicate, replicated.sweep.replicate) == (None, "s3://bucket/journals")
    assert "journal" not in plain.sweep.resolved
    assert sweep_sha(plain.sweep.resolved) == sweep_sha(replicated.sweep.resolved)


@pytest.mark.parametrize(
    ("out", "replicate", "got"),
    [
        ("runs/here", "s3://bucket/journals", "out: runs/here"),
        (None, "gs://bucket/journals", "gs://bucket/journals"),
        (None, "journals", "journals"),
        (None, "s3://", "not shown"),
        (None, "s3://name:hunter2@bucket/journals", "not shown"),
        (None, "s3://bucket/journals?key=hunter2", "not shown"),
    ],
)
def test_what_cannot_be_a_replica_is_refused(store_here, out, replicate, got):
    with pytest.raises(SweepError, match=got) as caught:
        load_plan("quickstart", [f"journal.replicate={replicate}"], out or f"{store_here}/run")
    assert "journal.replicate" in caught.value.where
    assert "hunter2" not in str(caught.value)
