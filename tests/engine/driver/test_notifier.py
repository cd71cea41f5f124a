"""Notifications: what is passed on, and what becomes of those that fail."""

import json
import os
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from mirror_ray.engine.driver import notifier
from mirror_ray.engine.driver.notifier import MOST_NOTIFICATIONS, Notifier
from mirror_ray.sweep.notify import Notify

TEXT = "a $(touch /tmp/never) `reply`; \"quoted\" 'words'"
ENVIRON = {
    "PATH": "/usr/bin:/bin",
    "OPENAI_API_KEY": "sk-secret",
    "MY_PASSWORD": "x",
    "MIRROR_RAY_NOTIFY_WEBHOOK": "https://secret",
    "MIRROR_RAY_NOTIFY_TOPIC": "night",
}
_REPEATS = """\
import json, os, sys
with open(sys.argv[1], "w") as file:
    json.dump([sys.argv[2:], json.load(sys.stdin), dict(os.environ)], file)
"""


def sent(notify: Notify, *events: str) -> list[str]:
    failures: list[str] = []
    notifying = Notifier(notify, failures.append, environ=ENVIRON)
    for event in events:
        notifying.send(event, TEXT, {"run_dir": "runs/a b", "done": 3})
    notifying.close()
    return failures


def test_a_command_gets_its_words_the_facts_as_json_and_no_secret(tmp_path):
    out = tmp_path / "out.json"
    command = (sys.executable, "-c", _REPEATS, str(out), "a word; $HOME")
    assert sent(Notify(command), "finished") == []
    words, said, environ = json.loads(out.read_text())
    assert words == ["a word; $HOME"]
    assert said == {"event": "finished", "text": TEXT, "run_dir": "runs/a b", "done": 3}
    assert (environ["MIRROR_RAY_EVENT"], environ["MIRROR_RAY_TEXT"]) == ("finished", TEXT)
    assert environ["MIRROR_RAY_NOTIFY_TOPIC"] == "night"
    assert not {"OPENAI_API_KEY", "MY_PASSWORD", "MIRROR_RAY_NOTIFY_WEBHOOK"} & environ.keys()


def test_only_wanted_events_are_sent_and_not_without_end(tmp_path):
    failures = sent(Notify(("/nonexistent",), on=("stopped",)), "finished", "budget")
    assert failures == []
    failures = sent(Notify(("/nonexistent",)), *["budget"] * (MOST_NOTIFICATIONS + 50))
    assert len(failures) == MOST_NOTIFICATIONS


@pytest.mark.parametrize("command", [("/nonexistent",), ("false",), ("sleep", "60"), ("a\x00b",)])
def test_a_command_that_fails_or_hangs_is_said_and_nothing_else(command, monkeypatch):
    monkeypatch.setattr(notifier, "COMMAND_LIMIT_S", 0.5)
    (failure,) = sent(Notify(command), "finished")
    assert "notification" in failure


def test_a_command_that_hangs_at_a_run_s_end_is_said_and_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("mirror_ray.engine.driver.notifier.COMMAND_LIMIT_S", 3.0)
    pid = tmp_path / "pid"
    failures: list[str] = []
    notifying = Notifier(Notify(("sh", "-c", f"echo $$ > {pid}; sleep 600")), failures.append)
    notifying.send("finished", TEXT, {})
    while not (pid.exists() and pid.read_text()):
        pass
    notifying.close(within_s=0.0)
    assert failures == ["a notification had not ended after 0 s"]
    for thread in notifying._threads:
        thread.join()
    assert failures == ["a notification had not ended after 0 s"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_webhook_that_trickles_holds_no_run_up():
    with socket.create_server(("127.0.0.1", 0)) as server:
        failures: list[str] = []
        notifying = Notifier(
            Notify(webhook=f"http://127.0.0.1:{server.getsockname()[1]}/"), failures.append
        )
        notifying.send("finished", TEXT, {})
        notifying.close(within_s=0.1)
        assert failures == ["a notification had not ended after 0.1 s"]


class _Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, body))
        self.send_response(302 if self.path.startswith("/away") else 200)
        self.send_header("Location", "/here")
        self.end_headers()

    do_GET = do_POST  # noqa: N815 - the server's name

    def log_message(self, *_):
        pass


def test_a_webhook_gets_json_and_leads_nowhere_else():
    server = HTTPServer(("127.0.0.1", 0), _Hook)
    server.seen = []
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    assert sent(Notify(webhook=f"{address}/hook/T0KEN"), "unreachable") == []
    ((path, body),) = server.seen
    assert (path, json.loads(body)["event"]) == ("/hook/T0KEN", "unreachable")
    (failure,) = sent(Notify(webhook=f"{address}/away/T0KEN"), "stopped")
    assert "302" in failure
    assert len(server.seen) == 2
    server.shutdown()
    server.server_close()
    (failure,) = sent(Notify(webhook=f"{address}/hook/T0KEN"), "stopped")
    # An address may be a secret.
    assert "T0KEN" not in failure
    assert "T0KEN" not in repr(Notify(webhook=f"{address}/hook/T0KEN"))
