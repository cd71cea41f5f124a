"""The socket between a run and who controls it: private, bounded, and recognised when stale."""

import asyncio
import json
import os
import socket
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mirror_ray.core.errors import MirrorRayError, RunDirError, SweepError
from mirror_ray.engine.control.address import NOTE_NAME, make_address, noted_address
from mirror_ray.engine.control.client import ask
from mirror_ray.engine.control.control_socket import listening
from mirror_ray.records.lock import Lock
from mirror_ray.records.rundir import LOCK_NAME
from support.small_disks import fill, small_disk


@pytest.fixture(autouse=True)
def runtime(monkeypatch):
    # A worker's own folder may be too long for a socket's path.
    with TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


@pytest.fixture
def home(tmp_path):
    # Longer than any socket's path.
    folder = tmp_path / ("long-" * 40)
    folder.mkdir()
    return folder


async def says(request, by):
    if request.command == "stop":
        raise SweepError("ctl: stop", "a \x1b[2J", "none", "none")
    assert by == f"process {os.getpid()}"
    return {"command": request.command}


def served(home, scenario):
    """Runs `scenario` in a thread beside a run that listens."""

    async def main():
        async with listening(make_address(home).path, says):
            return await asyncio.to_thread(scenario)

    lock = Lock(home / LOCK_NAME, what="it")
    try:
        return asyncio.run(main())
    finally:
        lock.close()


def send(path, line, *, shut=True):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(20)
        one.connect(str(path))
        one.sendall(line)
        if shut:
            one.shutdown(socket.SHUT_WR)
        got = b""
        while more := one.recv(65_536):
            got += more
    return got


def test_a_request_is_answered_and_a_refusal_is_an_error(home):
    assert served(home, lambda: ask(home, {"command": "state"})) == {"command": "state"}
    with pytest.raises(MirrorRayError, match="ctl: stop") as refused:
        served(home, lambda: ask(home, {"command": "stop"}))
    assert refused.value.got == "a �[2J"


def test_only_this_user_can_reach_it_and_it_goes_with_the_run(home, runtime):
    def look():
        path = noted_address(home).path
        return path, stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)

    path, mode, folder_mode = served(home, look)
    assert (mode, folder_mode, path.parent.parent) == (0o600, 0o700, runtime)
    assert not path.exists()


def test_hostile_clients_cost_their_own_connection(home):
    def attack():
        path = noted_address(home).path
        silent = socket.socket(socket.AF_UNIX)
        silent.connect(str(path))
        gone = socket.socket(socket.AF_UNIX)
        gone.connect(str(path))
        gone.close()
        said = [
            json.loads(send(path, line))
            for line in (
                b"",
                b"\xff\xfe\n",
                b"[" * 4_000 + b"\n",
                b'{"command": 7}\n',
                b"{" * 4_000,
            )
        ]
        endless = json.loads(send(path, b"a" * 5_000, shut=False))
        answer = ask(home, {"command": "state"})
        silent.close()
        return [*said, endless], answer

    refused, answer = served(home, attack)
    assert all(one["ok"] is False and one["allowed"] for one in refused)
    assert answer == {"command": "state"}


def test_a_stale_socket_is_no_run_and_does_not_hinder_the_next(home):
    stale = make_address(home).path
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(stale))
    with pytest.raises(RunDirError, match="no run plays there"):
        ask(home, {"command": "state"})
    assert served(home, lambda: ask(home, {"command": "state"})) == {"command": "state"}


def test_a_note_cannot_lead_to_another_socket(home, runtime):
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(runtime / "other"))
        note = {"socket": str(runtime / "other"), "pid": 1, "host": "h"}
        (home / NOTE_NAME).write_text(json.dumps(note))
        assert noted_address(home) is None
    for text in ("", "[]", '{"socket": 3}', "{" * 9_999):
        (home / NOTE_NAME).write_text(text)
        assert noted_address(home) is None


def test_a_full_disk_is_named(tmp_path):
    with small_disk(tmp_path / "disk", "64k") as disk:
        fill(disk)
        with pytest.raises(RunDirError, match="No space left") as caught:
            make_address(disk)
        assert sorted(one.name for one in disk.iterdir()) == ["ballast"]
    assert NOTE_NAME in caught.value.where
    assert "make room" in caught.value.fix


def test_where_no_socket_can_be_is_named(tmp_path):
    async def listen():
        async with listening(tmp_path / "gone" / "m.sock", says):
            pass

    with pytest.raises(RunDirError, match="mirror-ray ctl") as caught:
        asyncio.run(listen())
    assert str(tmp_path) in caught.value.where
