"""A stop that reaches every process of a run, as systemd and Slurm send it, loses no reply.

The server holds its replies until the signal is out, so that they are in flight when it comes.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from ray.thirdparty_files import psutil

IN_FLIGHT = 3
EPISODES = 6
ANSWER = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "B"}, "finish_reason": "stop"}
    ],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020},
}

pytestmark = pytest.mark.timeout(600)


class Holding(ThreadingHTTPServer):
    """Counts calls, and answers none before `release` is set."""

    def __init__(self) -> None:
        self.calls = 0
        self.enough, self.release = threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def called(self) -> None:
        self.calls += 1
        if self.calls >= IN_FLIGHT:
            self.enough.set()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        assert isinstance(self.server, Holding)
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.called()
        self.server.release.wait(120)
        body = json.dumps(ANSWER).encode()
        with suppress(OSError):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


@pytest.fixture
def server() -> Iterator[Holding]:
    with Holding() as holding:
        threading.Thread(target=holding.serve_forever, daemon=True).start()
        yield holding
        holding.shutdown()


def started(folder: Path, port: int) -> "subprocess.Popen[bytes]":
    (folder / "models.yaml").write_text(
        f"models: {{held: {{target: hosted_vllm/held, base_url: 'http://127.0.0.1:{port}/v1',"
        f" usd_per_mtok_in: 1.0, usd_per_mtok_out: 1.0, concurrency: {IN_FLIGHT}}}}}\n"
    )
    (folder / "sweep.yaml").write_text(
        "name: held\nmodels: [held]\ncatalogue: models.yaml\nbudget_usd: 5\nout: out\n"
        f"stages: [{{family: flipset, conditions: [L2], seeds: {EPISODES}, temperature: [0]}}]\n"
        "engine: {simulators: 1, providers: 1}\n"
    )
    return subprocess.Popen(
        [sys.executable, "-m", "mirror_ray", "run", "sweep.yaml", "--plain"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def to_group(process: "subprocess.Popen[bytes]", number: int) -> None:
    os.killpg(process.pid, number)


def to_everyone(process: "subprocess.Popen[bytes]", number: int) -> None:
    for one in psutil.Process(process.pid).children(recursive=True):
        with suppress(psutil.Error):
            one.send_signal(number)
    process.send_signal(number)


@pytest.mark.parametrize(
    ("send", "number"),
    [
        pytest.param(
            to_everyone,
            signal.SIGTERM,
            marks=pytest.mark.thorough("engine/cluster/test_signals.py"),
        ),
        pytest.param(
            to_group, signal.SIGTERM, marks=pytest.mark.thorough("engine/cluster/test_signals.py")
        ),
        pytest.param(
            to_group, signal.SIGHUP, marks=pytest.mark.thorough("engine/cluster/test_signals.py")
        ),
    ],
    ids=["SIGTERM to every process", "SIGTERM to the group", "SIGHUP to the group"],
)
def test_replies_in_flight_are_kept_and_none_is_bought_again(
    send, number, tmp_path: Path, server: Holding
) -> None:
    first = started(tmp_path, server.server_port)
    assert server.enough.wait(240)
    processes = [first.pid, *(p.pid for p in psutil.Process(first.pid).children(recursive=True))]
    send(first, number)
    server.release.set()
    told, _ = first.communicate(timeout=240)
    assert first.returncode == 130, told.decode()
    assert not [pid for pid in processes if psutil.pid_exists(pid)]
    second = started(tmp_path, server.server_port)
    told, _ = second.communicate(timeout=240)
    assert second.returncode == 0, told.decode()
    assert server.calls == EPISODES
