"""`mirror-ray report` and `export` of a run in an object store."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from mirror_ray.records.storage import storage_of
from support.object_store import ObjectStore
from support.recorded_run import plan_for, record_run


def walks(_: object) -> Reply:
    return Reply(text=json.dumps({"action": "w", "identification": "red"}))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    record_run(plan_for(out), walks)
    return out


@pytest.fixture
def stored(run: Path, bucket: str) -> str:
    address = f"{bucket}/my runs/run"
    fs, root = storage_of(address)
    for path in run.rglob("*"):
        if path.is_file():
            with fs.open_output_stream(f"{root}/{path.relative_to(run)}") as stream:
                stream.write(path.read_bytes())
    return address


@pytest.mark.thorough("cli/test_report_export.py, on disk")
def test_a_report_is_put_beside_its_run(
    stored: str, store: ObjectStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", stored, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["page"] == f"{stored}/report/index.html"
    written = {address.removeprefix(f"{stored}/") for address in printed["files"]}
    assert written | {"report/index.html"} == {
        key for key in store.keys(stored) if key.startswith("report/")
    }
    assert "recorded · mirror-ray report" in store.read(printed["page"])


@pytest.mark.thorough("cli/test_report_export.py, on disk")
def test_a_report_of_a_stored_run_can_lie_here(
    stored: str, store: ObjectStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deep" / "report"
    assert main(["report", stored, "--out", str(out), "--set", "mirror_px_threshold=70"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == str(out / "index.html")
    assert "read with mirror_px_threshold = 70" in (out / "index.html").read_text()
    assert list(out.glob("tables/*.csv"))
    assert not any(key.startswith("report/") for key in store.keys(stored))


@pytest.mark.thorough("the export for Inspect, here; analysis/test_stored_run.py, its views")
def test_an_export_of_a_stored_run_is_that_of_one_on_disk(
    run: Path, stored: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = {}
    for source, name in ((str(run), "disk"), (stored, "store")):
        out = tmp_path / name
        assert main(["export", source, "--to", "huggingface", "--out", str(out)]) == 0
        written[name] = [line.removeprefix(f"{out}/") for line in capsys.readouterr().out.split()]
    assert written["disk"] == written["store"]
    for path in written["disk"]:
        # Means may differ in their last digit: rows are summed in the order they are read.
        if path.endswith(("_steps.parquet", "_episodes.parquet", "_scores.parquet")):
            on_disk, in_store = (pq.read_table(tmp_path / at / path) for at in written)
            assert on_disk.equals(in_store), path


def test_inspect_reads_a_stored_run_too(
    stored: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", stored, "--to", "inspect", "--out", str(tmp_path)]) == 0
    (log,) = capsys.readouterr().out.splitlines()
    assert Path(log).stat().st_size > 0


def test_a_variable_that_no_view_reads_is_bad_input(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run), "--set", "threshold=70"]) == 2
    assert "mirror_px_threshold" in capsys.readouterr().err
