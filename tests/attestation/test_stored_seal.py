"""A run in an object store is sealed, verified and tampered with there and in a downloaded copy."""

import json
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.cli import main
from mirror_ray.records.storage import storage_of
from support.object_store import ObjectStore
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says


@pytest.fixture
def stored(tmp_path: Path, bucket: str) -> str:
    plan = plan_for(tmp_path / "run", runs=3)
    record_run(plan, lambda _: says("w"))
    address = f"{bucket}/my runs/run"
    fs, root = storage_of(address)
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file() and "journal" not in path.name:
            with fs.open_output_stream(f"{root}/{path.relative_to(tmp_path / 'run')}") as stream:
                stream.write(path.read_bytes())
    return address


def verdict(capsys: pytest.CaptureFixture[str], seal: str) -> tuple[int, Any]:
    capsys.readouterr()
    code = main(["verify", seal, "--frames", "0", "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_stored_run_is_checked_where_it_lies_and_where_it_is_copied_to(
    stored: str, store: ObjectStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seal", stored, "--key", str(tmp_path / "key.pem"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seal"] == f"{stored}/seal.json"
    assert verdict(capsys, f"{stored}/seal.json")[0] == 0
    fs, root = storage_of(stored)
    copy = tmp_path / "copy"
    for name in store.keys(stored):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(fs.open_input_stream(f"{root}/{name}").read())
    assert verdict(capsys, str(copy / "seal.json"))[0] == 0

    shard = next(name for name in store.keys(stored) if name.startswith("episodes/"))
    content = bytearray((copy / shard).read_bytes())
    content[len(content) // 2] ^= 1
    with fs.open_output_stream(f"{root}/{shard}") as stream:
        stream.write(bytes(content))
    code, found = verdict(capsys, f"{stored}/seal.json")
    assert (code, found["altered"]) == (1, [f"{shard} differs"])
    assert main(["compact", stored]) == 2
    assert main(["verify", f"{stored}/seal-9.json"]) == 2
    assert "check the path" in capsys.readouterr().err
