"""Settings of a machine with which Ray could not start, or not end."""

import socket
from threading import Thread
from types import SimpleNamespace

import pytest

from mirror_ray.core.errors import EngineError, LostError
from mirror_ray.engine.cluster import session


def test_a_head_that_does_not_listen_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    for address in (f"127.0.0.1:{port}", "127.0.0.1:99999", "no-such-host.invalid:6379"):
        with pytest.raises(EngineError, match="RAY_ADDRESS") as caught:
            session._require_listening(address)
        assert caught.value.exit_code == 2
        assert "nobody listens there" in caught.value.got


@pytest.mark.parametrize("answer", [None, b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"-ERR\r\n"])
def test_another_server_than_a_head_is_refused(
    answer: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LISTENS_WITHIN_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            caller, _ = listening.accept()
            with caller:
                caller.recv(100)
                if answer is None:
                    caller.recv(100)
                else:
                    caller.sendall(answer)

        server = Thread(target=serve)
        server.start()
        with pytest.raises(EngineError, match="RAY_ADDRESS") as caught:
            session._require_listening(f"127.0.0.1:{listening.getsockname()[1]}")
        server.join()
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("address", ["auto", "local", "some-name"])
def test_an_address_without_a_port_is_rays_to_find(address: str) -> None:
    session._require_listening(address)


@pytest.mark.parametrize(
    ("folder", "replaced"), [("/short", False), (f"/{'x' * 42}", False), (f"/{'x' * 43}", True)]
)
@pytest.mark.parametrize("variable", ["RAY_TMPDIR", "TMPDIR"])
def test_a_folder_too_long_for_sockets_is_replaced(
    variable: str, folder: str, replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_TMPDIR", raising=False)
    if variable == "RAY_TMPDIR":
        monkeypatch.setenv(variable, folder)
    else:
        monkeypatch.setattr(session, "gettempdir", lambda: folder)
    assert (session._short_folder() is not None) is replaced


def test_a_start_that_fails_on_a_full_disk_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.setattr(session, "_MOST_FOLDER_BYTES", 1_000)
    monkeypatch.setattr(session, "disk_usage", lambda _: SimpleNamespace(free=3 * 2**20))
    assert f"where {tmp_path} has 3 MiB of room" in session._why_it_may_not_start()
    monkeypatch.setattr(session, "disk_usage", lambda _: SimpleNamespace(free=2**30))
    assert session._why_it_may_not_start() == "which may be busy or short of memory"
    monkeypatch.undo()
    monkeypatch.setenv("RAY_TMPDIR", "/nowhere")
    assert "cannot be used: /nowhere" in session._why_it_may_not_start()


@pytest.mark.parametrize(("load", "starts"), [(0.5, 2), (1e3, 6)])
def test_ray_is_started_again_more_often_on_a_busy_machine(load, starts, monkeypatch):
    begun, said = [], []

    def dies(**_):
        begun.append(1)
        raise LostError("its raylet has died")

    monkeypatch.setattr(session.ray, "init", dies)
    monkeypatch.setattr(session.os, "getloadavg", lambda: (load, load, load))
    with pytest.raises(LostError, match="run the same command again"):
        session._start(1, said.append, lambda _: None)
    assert len(begun) == starts
    assert len(said) == (starts - 1 if load > 100 else 0)


def test_a_start_that_succeeds_after_others_on_a_busy_machine_is_used(monkeypatch):
    begun = []

    def dies_at_first(**_):
        begun.append(1)
        if len(begun) < 5:
            raise LostError("its raylet has died")

    monkeypatch.setattr(session.ray, "init", dies_at_first)
    monkeypatch.setattr(session.os, "getloadavg", lambda: (50.0, 50.0, 50.0))
    session._start(1, lambda _: None, lambda _: None)
    assert len(begun) == 5
