import json
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.environment import cpu_model, versions
from mirror_ray.records.lock import Lock
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import RunDir
from support.manifests import edit_manifest

SWEEP = {
    "name": "quick",
    "models": ["scripted/observer"],
    "stages": [{"family": "selfid", "conditions": ["E1", "E2"], "seeds": 3}],
    "budget_usd": 5.0,
    "engine": {"in_flight": 32},
    "out": "runs/quick",
}


def changed(**stage) -> dict:
    return {**SWEEP, "stages": [{**SWEEP["stages"][0], **stage}]}


def make(out: Path, sweep: dict = SWEEP, **about) -> None:
    with RunDir(str(out), sweep) as run_dir:
        run_dir.describe("name: quick\n", about)


def test_it_is_made_with_the_folders_above_it(tmp_path):
    out = tmp_path / "deep" / "down" / "run"
    make(out, gl="Mesa")
    assert (out / "sweep.yaml").read_text() == "name: quick\n"
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["sweep"] == SWEEP
    assert [run["gl"] for run in manifest["runs"]] == ["Mesa"]
    assert read_manifest(str(out)) == {k: v for k, v in manifest.items() if k != "digest"}


def test_the_same_sweep_goes_on_and_every_run_is_described(tmp_path):
    make(tmp_path / "run", host="first")
    make(tmp_path / "run", {**SWEEP, "budget_usd": 50.0, "engine": {}, "out": "x"}, host="second")
    manifest = read_manifest(str(tmp_path / "run"))
    assert [run["host"] for run in manifest["runs"]] == ["first", "second"]
    assert manifest["sweep"]["budget_usd"] == 50.0


def test_hosts_are_added_as_they_come_and_stay(tmp_path):
    make(tmp_path / "run")
    with RunDir(str(tmp_path / "run"), SWEEP) as run_dir:
        run_dir.describe("name: quick\n", {})
        run_dir.add_hosts({"a": {"gl": "Mesa"}})
        written = (tmp_path / "run" / "manifest.json").stat().st_mtime_ns
        run_dir.add_hosts({})
        assert (tmp_path / "run" / "manifest.json").stat().st_mtime_ns == written
        run_dir.add_hosts({"b": {"gl": "NVIDIA", "drawn_on": [0]}})
        run_dir.add_hosts({"b": {"gl": "NVIDIA", "drawn_on": [0, 1]}})
    hosts = [run["hosts"] for run in read_manifest(str(tmp_path / "run"))["runs"]]
    assert hosts == [{}, {"a": {"gl": "Mesa"}, "b": {"gl": "NVIDIA", "drawn_on": [0, 1]}}]


def test_more_money_other_weights_and_moved_data_are_the_same_sweep(tmp_path):
    first = changed(weight=1.0, data="/here/Dataset")
    make(tmp_path / "run", {**first, "budget_per_model_usd": {"*": 5.0}})
    richer = {"budget_per_model_usd": {"a/b": 8.0, "*": 5.0}, "budget_per_cell_usd": 1.0}
    make(tmp_path / "run", {**changed(weight=3.0, data="/there/Dataset"), **richer})
    with pytest.raises(RunDirError, match=r"stages\.0\.runs = 2"):
        make(tmp_path / "run", {**changed(runs=2), **richer})


def test_a_finished_run_puts_down_where_its_data_lies_now(tmp_path):
    make(tmp_path / "run", changed(data="/here"), host="first")
    with RunDir(str(tmp_path / "run"), changed(data="/there")) as run_dir:
        run_dir.renew("name: moved\n")
    manifest = read_manifest(str(tmp_path / "run"))
    assert manifest["sweep"] == changed(data="/there")
    assert [run["host"] for run in manifest["runs"]] == ["first"]
    assert (tmp_path / "run" / "sweep.yaml").read_text() == "name: moved\n"


def test_another_sweep_is_refused_and_the_differences_are_named(tmp_path):
    out = tmp_path / "run"
    make(out)
    other = changed(conditions=["E1", "E3"], runs=7)
    with pytest.raises(RunDirError) as caught:
        RunDir(str(out), other)
    text = str(caught.value)
    assert "another sweep" in text
    assert 'stages.0.conditions.1 = "E3" (there: "E2")' in text
    assert "stages.0.runs = 7 (there: absent)" in text
    assert "budget_usd =" not in text
    assert "use another --out" in text
    make(out)  # the refusal left no lock behind


@pytest.mark.parametrize(
    "files",
    [
        {"notes.txt": "mine"},
        {"manifest.json": '{"name": "webapp", "version": 3}', "index.html": "<p>"},
        {"manifest.json": "[]"},
        {"manifest.json": "{"},
        {"steps/readme.md": "mine"},
    ],
)
def test_nothing_is_left_in_a_folder_of_something_else(tmp_path, files):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RunDirError):
        RunDir(str(tmp_path), SWEEP)
    assert sorted(tmp_path.rglob("*")) == before


def test_many_differences_are_cut_short(tmp_path):
    make(tmp_path / "run")
    with pytest.raises(RunDirError, match="5 more"):
        RunDir(str(tmp_path / "run"), {**SWEEP, **{f"key{i}": i for i in range(10)}})


def test_a_second_run_is_refused_while_the_first_is_alive(tmp_path):
    with (
        RunDir(str(tmp_path / "run"), SWEEP),
        pytest.raises(RunDirError, match=f"process {os.getpid()} on "),
    ):
        RunDir(str(tmp_path / "run"), SWEEP)
    make(tmp_path / "run")


def test_a_killed_run_is_no_obstacle(tmp_path):
    program = (
        "import sys, time; from mirror_ray.records.rundir import RunDir; "
        f"run = RunDir(sys.argv[1], {SWEEP!r}); print('held', flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "run")], stdout=subprocess.PIPE
    )
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(RunDirError, match=f"process {holder.pid} on "):
        RunDir(str(tmp_path / "run"), SWEEP)
    holder.kill()
    assert holder.wait() == -signal.SIGKILL
    holder.stdout.close()
    make(tmp_path / "run")


def _hold_for(path: str, seconds: float, held) -> None:
    import time

    lock = Lock(Path(path), what="it")
    held.set()
    time.sleep(seconds)
    lock.close()


def test_a_lock_may_be_waited_for(tmp_path):
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=_hold_for, args=(str(tmp_path / "lock"), 0.3, held))
    process.start()
    held.wait()
    Lock(tmp_path / "lock", what="it", wait_s=60.0).close()
    process.join()
    assert process.exitcode == 0


@pytest.mark.parametrize("out", ["file/run", "/proc/run", "file"])
def test_a_place_that_cannot_be_written_is_refused(tmp_path, out):
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunDirError, match=r"(?s)allowed: a folder this user may.*--out"):
        RunDir(str(tmp_path / out), SWEEP)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "sweep.yaml").write_text("mine")
    with pytest.raises(RunDirError, match=r"contains sweep\.yaml"):
        RunDir(str(tmp_path), SWEEP)
    assert (tmp_path / "sweep.yaml").read_text() == "mine"


def test_a_run_killed_before_its_manifest_may_begin_again(tmp_path):
    RunDir(str(tmp_path / "run"), SWEEP).close()
    (tmp_path / "run" / ".manifest.json.tmp").write_text("{")
    for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"):
        (tmp_path / "run" / name).write_bytes(b"")
    make(tmp_path / "run")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"sweep_sha": "x"}'])
def test_a_damaged_manifest_is_reported(tmp_path, text):
    make(tmp_path / "run")
    (tmp_path / "run" / "manifest.json").write_text(text)
    with pytest.raises(RunDirError, match=r"damaged manifest\.json"):
        RunDir(str(tmp_path / "run"), SWEEP)


def test_an_altered_manifest_is_reported(tmp_path):
    make(tmp_path / "run", gl="Mesa")
    path = tmp_path / "run" / "manifest.json"
    path.write_text(path.read_text().replace("Mesa", "Mesb"))
    with pytest.raises(RunDirError, match="differs from its digest"):
        read_manifest(str(tmp_path / "run"))
    edit_manifest(tmp_path / "run", lambda manifest: None)
    assert read_manifest(str(tmp_path / "run"))["runs"][0]["gl"] == "Mesb"


def test_no_run_directory_has_no_manifest(tmp_path):
    with pytest.raises(RunDirError, match=r"manifest\.json"):
        read_manifest(str(tmp_path))


def test_records_of_another_schema_are_refused(tmp_path):
    make(tmp_path / "run")
    edit_manifest(tmp_path / "run", lambda manifest: manifest.update(schema_version=0))
    with pytest.raises(RunDirError, match="schema version 0"):
        RunDir(str(tmp_path / "run"), SWEEP)


def test_versions_and_processor_are_known():
    found = versions()
    assert found["python"].split(".")[0] == "3"
    for package in ("mujoco", "ray", "litellm", "duckdb"):
        assert found[package]
    assert cpu_model()


def test_a_folder_of_somebody_else_is_left_as_it_was(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunDirError, match=r"contains notes\.txt"):
        RunDir(str(tmp_path), {})
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
