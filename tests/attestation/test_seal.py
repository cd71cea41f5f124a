"""A sealed run is verified where it was copied to; whatever is changed in it is found."""

import json
import shutil
from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.derived import write_derived
from mirror_ray.attestation.comparison import compare_with_seal, sealed_of
from mirror_ray.attestation.contents import leaf_hash, merkle_root
from mirror_ray.attestation.envelope import read_envelope
from mirror_ray.cli import main
from mirror_ray.core.errors import RunDirError
from mirror_ray.sweep.plan import Plan
from support.recorded_run import plan_for
from support.resumable_run import play
from support.tampering import Restored, tamper

CHANGES = 60


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return plan_for(tmp_path_factory.mktemp("run") / "out", runs=5)


@pytest.fixture(scope="module")
def run(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three episodes to their end and one reply to a fourth, sealed."""
    play(plan, stop_at=4)
    out = Path(plan.sweep.out)
    write_derived(str(out))
    key = tmp_path_factory.mktemp("key") / "key.pem"
    assert main(["seal", str(out), "--key", str(key)]) == 0
    assert key.stat().st_mode & 0o77 == 0
    return out


@pytest.fixture
def copied(run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(run, tmp_path / "copy"))


def compared(directory: Path) -> Any:
    path = directory / "seal.json"
    return compare_with_seal(sealed_of(read_envelope(path)[0], str(path)), directory)


def checks(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["verify", *words, "--frames", "0", "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_sealed_run_keeps_its_shards(copied, tmp_path, capsys):
    """Wherever the seal lies."""
    seal = copied / "seal.json"
    seal.rename(tmp_path / "elsewhere.json")
    before = sorted(copied.rglob("*.parquet"))
    assert main(["compact", str(copied)]) == 2
    assert "compact first, then seal" in capsys.readouterr().err
    assert sorted(copied.rglob("*.parquet")) == before


def test_a_copy_is_verified_without_the_original(copied, capsys):
    code, found = checks(capsys, str(copied / "seal.json"))
    assert (code, found["altered"], found["later"]) == (0, [], [])
    assert {one["topic"]: one["verdict"] for one in found["checks"]} == {
        "signature": "note",
        "record": "ok",
        "registered": "note",
        "tables": "ok",
        "replies": "ok",
    }
    assert len(found["unchecked"]) == 3


def test_the_seal_holds_prompts_prices_and_no_key(run):
    statement, _ = read_envelope(run / "seal.json")
    predicate = statement["predicate"]
    assert "prices" in predicate
    assert len(predicate["journal"]["replies"]) == 1
    (prompt,) = predicate["prompts"].values()
    assert "mirror" in prompt["system"] + prompt["user"]
    assert "PRIVATE" not in (run / "seal.json").read_text()


def test_another_signer_is_named(copied, capsys):
    _, public = read_envelope(copied / "seal.json")
    assert checks(capsys, str(copied / "seal.json"), "--public-key", public)[0] == 0
    code, found = checks(capsys, str(copied / "seal.json"), "--public-key", "ab" * 32)
    assert (code, found["checks"][0]["verdict"]) == (1, "fault")


@pytest.mark.parametrize("part", ["payload", "sig"])
def test_a_changed_seal_is_refused(copied, part):
    path = copied / "seal.json"
    envelope = json.loads(path.read_text())
    holder = envelope if part == "payload" else envelope["signatures"][0]
    content = bytearray(b64decode(holder[part]))
    content[len(content) // 2] ^= 1
    holder[part] = b64encode(content).decode()
    path.write_text(json.dumps(envelope))
    with pytest.raises(RunDirError):
        read_envelope(path)


def test_every_change_is_found(run, tmp_path):
    at = Restored(run, tmp_path / "copy")
    missed = []
    for number in range(CHANGES):
        what = tamper(at.copy, number)
        if not compared(at.copy).altered:
            missed.append(what)
        at.put_back()
    assert missed == []
    assert compared(at.copy).altered == []


def test_a_run_that_grows_keeps_its_seal(run, plan, copied, capsys):
    grown = replace(plan, sweep=replace(plan.sweep, out=str(copied)))
    play(grown)
    found = compared(copied)
    assert found.altered == []
    assert any("new shards" in one for one in found.later)
    assert checks(capsys, str(copied / "seal.json"))[0] == 0
    # What was signed stays so: a changed shard is found after growth, too.
    shard = next((run / "steps").rglob("*.parquet")).relative_to(run)
    content = bytearray((copied / shard).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / shard).write_bytes(content)
    assert checks(capsys, str(copied / "seal.json"))[0] == 1


def test_a_later_seal_has_a_name_of_its_own(copied, tmp_path):
    assert main(["seal", str(copied), "--key", str(tmp_path / "key.pem")]) == 0
    assert (copied / "seal-2.json").exists()


def test_a_file_that_is_no_seal_is_refused(tmp_path, capsys):
    (tmp_path / "seal.json").write_text("{}")
    assert main(["verify", str(tmp_path / "seal.json")]) == 2
    assert "mirror-ray seal" in capsys.readouterr().err


def test_the_root_is_that_of_rfc_6962():
    # Certificate Transparency's own reference: the root over its first seven test leaves.
    leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
    expected = "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"
    assert merkle_root([leaf_hash(bytes.fromhex(one)) for one in leaves]) == expected
