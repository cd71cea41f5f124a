"""Files that a stranger's manifest names: none is parsed, quoted or shown."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from mirror_ray.cli import main
from support.manifests import edit_manifest
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.whole import mostly_thorough

SECRET = "root:x:0:0:SECRET-LINE"  # noqa: S105 - of no account


def stage(family: str, condition: str, **options: object) -> dict[str, object]:
    return {"family": family, "conditions": [condition], "seeds": 1, "runs": 1, **options}


def stages(tmp_path: Path) -> Mapping[str, dict[str, object]]:
    """A stage for each way to name a file or a folder."""
    file = tmp_path / "passwd"
    file.write_text(SECRET + "\n")
    folder = tmp_path / "private"
    folder.mkdir()
    for name in ("test.jsonl", "data.jsonl", "annotations.jsonl"):
        (folder / name).write_text(SECRET + "\n")
    link = tmp_path / "link"
    link.symlink_to(file)
    other = sha256(b"other").hexdigest()
    return {
        "bank": stage("metacog", "exp1", bank=str(file)),
        "bank by a link": stage("metacog", "exp1", bank=str(link)),
        "bank with another hash": stage("metacog", "exp1", bank=str(file), bank_sha256=other),
        "seeds": stage("textmirror", "story", seed_file=str(file)),
        "folder": stage("mirrorqa", "data", data=str(folder)),
        "folder's parent": stage("mirrorqa", "data", data=str(tmp_path)),
        "device": stage("metacog", "exp1", bank="/dev/zero"),
        "absent": stage("metacog", "exp1", bank=str(tmp_path / "absent")),
    }


WAYS = (
    *("bank", "bank by a link", "bank with another hash", "seeds"),
    *("folder", "folder's parent", "device", "absent"),
)


@pytest.mark.parametrize("way", mostly_thorough(2, WAYS))
def test_no_reading_command_shows_a_line(
    way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    record_run(plan_for(run, runs=1), lambda _: says("w"))
    named = stages(tmp_path)[way]
    edit_manifest(run, lambda manifest: manifest["sweep"]["stages"].append(named))
    for words in (
        ["status", str(run)],
        ["status", str(run), "--json"],
        ["verify", str(run)],
        ["rescore", str(run), "--dry-run"],
        ["sql", str(run), "select 1"],
        ["plan", str(tmp_path / "run.yaml")],
    ):
        main(words)
        said = capsys.readouterr()
        assert "SECRET" not in said.out + said.err, words
        assert "Traceback" not in said.err


def test_a_file_whose_hash_is_recorded_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "seeds.csv"
    file.write_text("prompt\nWrite about a lake.\n")
    plan = plan_for(tmp_path / "run", runs=1)
    record_run(plan, lambda _: says("w"))
    known = sha256(file.read_bytes()).hexdigest()
    added = stage("textmirror", "story", seed_file=str(file), seed_file_sha256=known)
    edit_manifest(tmp_path / "run", lambda manifest: manifest["sweep"]["stages"].append(added))
    main(["status", str(tmp_path / "run")])
    assert "which is not the file" not in capsys.readouterr().err
    file.write_text("prompt\nWrite about a hill.\n")
    main(["status", str(tmp_path / "run")])
    said = capsys.readouterr()
    assert "which is not the file that this run read" in " ".join((said.out + said.err).split())
