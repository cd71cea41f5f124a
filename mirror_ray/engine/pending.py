"""Work in progress on an event loop: tasks that nobody awaits, and futures that somebody awaits."""

import asyncio
from collections.abc import Coroutine
from typing import Any


def start_task(
    work: Coroutine[Any, Any, None], among: "set[asyncio.Task[None]]", name: str | None = None
) -> None:
    """Start a task and keep it `among` the tasks while it runs; otherwise the event loop would drop
    it."""
    task = asyncio.create_task(work, name=name)
    among.add(task)
    task.add_done_callback(among.discard)


def resolve(waiting: "asyncio.Future[Any]", outcome: object) -> None:
    """Set a future's result or exception, unless nobody waits for it any more."""
    if waiting.done():
        return
    if isinstance(outcome, Exception):
        waiting.set_exception(outcome)
    else:
        waiting.set_result(outcome)
