"""A thousand changes of one byte or one row in a sealed run of a thousand episodes."""

from collections import Counter
from pathlib import Path

import pytest

from mirror_ray.analysis.derived import write_derived
from mirror_ray.attestation.comparison import compare_with_seal, sealed_of
from mirror_ray.attestation.envelope import read_envelope
from mirror_ray.cli import main
from support.recorded_run import plan_for
from support.resumable_run import play
from support.tampering import Restored, tamper

pytestmark = pytest.mark.thorough("attestation/test_seal.py")

EPISODES = CHANGES = 1_000


def test_all_are_found(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "out", runs=EPISODES + 1)
    play(plan, stop_at=EPISODES + 1, in_a_shard=500)
    out = Path(plan.sweep.out)
    write_derived(str(out))
    assert main(["seal", str(out), "--key", str(tmp_path / "key.pem")]) == 0
    at = Restored(out, tmp_path / "copy")
    changed, missed = Counter[str](), []
    for number in range(CHANGES):
        what = tamper(at.copy, number)
        path = at.copy / "seal.json"
        found = compare_with_seal(sealed_of(read_envelope(path)[0], str(path)), at.copy)
        changed[what.partition("/")[0].partition(":")[0]] += 1
        if not found.altered:
            missed.append(what)
        at.put_back()
    assert missed == []
    assert set(changed) >= {"journal.sqlite", "steps", "episodes", "manifest.json", "intervals"}
