"""Sends notifications. The run continues whether they succeed or not."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from mirror_ray.core.child_environment import child_environment
from mirror_ray.sweep.notify import WEBHOOK_VARIABLE, Notify

MOST_NOTIFICATIONS = 100
COMMAND_LIMIT_S = 30.0
WEBHOOK_LIMIT_S = 10.0
CLOSE_WITHIN_S = 10.0

_FOR_COMMANDS = "MIRROR_RAY_NOTIFY_"


class Notifier:
    """Notifies of events, each in its own thread.

    Args:
        failed: called with a readable line if a notification could not be sent.
        keys: variables that hold keys of the run's models.
        environ: this process's; the command gets its part in `child_environment`, and the variables
            ``MIRROR_RAY_NOTIFY_…`` but for the webhook.
    """

    def __init__(
        self,
        notify: Notify | None,
        failed: Callable[[str], None],
        *,
        keys: Collection[str] = (),
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._notify = notify
        self._failed = failed
        named = {name for name in environ if name.startswith(_FOR_COMMANDS)} - {WEBHOOK_VARIABLE}
        self._environ = child_environment(environ, named=named, keys=keys)
        self._threads: list[threading.Thread] = []
        self._commands: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    def send(self, event: str, text: str, facts: Mapping[str, Any]) -> None:
        """Send an event if it was subscribed to; return at once."""
        notify = self._notify
        if notify is None or event not in notify.on or len(self._threads) >= MOST_NOTIFICATIONS:
            return
        said = {"event": event, "text": text, **facts}
        if notify.command:
            self._start(self._run, notify.command, said)
        if notify.webhook is not None:
            self._start(self._post, notify.webhook, said)

    def close(self, within_s: float = CLOSE_WITHIN_S) -> None:
        """Wait briefly until all notifications are sent, then end the rest."""
        until_s = monotonic() + within_s
        for thread in self._threads:
            thread.join(max(0.0, until_s - monotonic()))
        self._is_closed = True
        for process in list(self._commands):
            _end(process)
        if hanging := sum(thread.is_alive() for thread in self._threads):
            many = "a notification" if hanging == 1 else f"{hanging} notifications"
            self._failed(f"{many} had not ended after {within_s:g} s")

    def _start(self, send: Callable[..., None], *arguments: Any) -> None:
        def guarded() -> None:
            try:
                send(*arguments)
            except Exception as reason:
                # The error's text might quote the address, which may be secret.
                why = f" {reason.code}" if isinstance(reason, HTTPError) else ""
                self._note(f"a notification failed: {type(reason).__name__}{why}")

        thread = threading.Thread(target=guarded, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run(self, command: tuple[str, ...], said: Mapping[str, Any]) -> None:
        """Run the command with facts on standard input, event and text in variables; none becomes
        an argument."""
        with subprocess.Popen(  # noqa: S603 - the user's own command, never a sweep file's
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={
                **self._environ,
                "MIRROR_RAY_EVENT": str(said["event"]),
                "MIRROR_RAY_TEXT": str(said["text"]),
                "MIRROR_RAY_RUN_DIR": str(said.get("run_dir", "")),
            },
            start_new_session=True,
        ) as process:
            self._commands.add(process)
            try:
                process.communicate(json.dumps(said, default=str).encode(), COMMAND_LIMIT_S)
            except subprocess.TimeoutExpired:
                _end(process)
                raise
            finally:
                self._commands.discard(process)
        if process.returncode:
            self._note(f"the command of a notification ended with {process.returncode}")

    def _note(self, why: str) -> None:
        if not self._is_closed:
            self._failed(why)

    def _post(self, address: str, said: Mapping[str, Any]) -> None:
        body = json.dumps(said, default=str).encode()
        request = Request(address, body, {"Content-Type": "application/json"})  # noqa: S310 - http
        with build_opener(_NoRedirect).open(request, timeout=WEBHOOK_LIMIT_S) as answer:
            answer.read(1024)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect, so that a run's facts reach only the configured address."""

    def redirect_request(self, *_: Any) -> None:
        return None
