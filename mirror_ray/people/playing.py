"""One person's way through their episodes: the open request, and the answer to it.

Everything here is on one event loop. An episode is a task that waits for an answer; the page's
requests show what is open and bring the answer."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias

from mirror_ray.core.errors import EngineError, MirrorRayError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.rollout import Asked
from mirror_ray.forms import form_of
from mirror_ray.forms.form import Form, Said
from mirror_ray.records.journal.entry import Entry

if TYPE_CHECKING:
    from mirror_ray.people.study import Study

WAIT_S = 5.0
"""How long an answer waits for the next request's pictures before a reloading page is shown."""

_State: TypeAlias = Literal["waiting", "question", "finished", "later", "failed"]


@dataclass(frozen=True, slots=True)
class _Question:
    """An open request.

    Args:
        turn: identifies this showing of it; answers to any other are ignored.
        is_first: nothing of the episode was asked before in this visit.
        typed: the content of the form's fields.
    """

    turn: str
    request: Request
    form: Form
    is_first: bool
    typed: Said
    note: str = ""


class PersonPlay:
    """One person's play."""

    def __init__(self, model: str, study: "Study") -> None:
        self.model = model
        self.question: _Question | None = None
        self._study = study
        self._typed: dict[str, str] = {}
        self._spec: EpisodeSpec | None = None
        self._is_first = False
        self._shown_s: float | None = None
        self._shown_at = ""
        self._answer: asyncio.Future[Reply] | None = None
        self._settled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failed = False

    @property
    def state(self) -> _State:
        """What the page should show."""
        if self._failed:
            return "failed"
        if self.question is not None:
            return "question"
        if self._task is None or not self._task.done():
            return "waiting"
        return "later" if self._study.may_follow else "finished"

    def begin(self) -> None:
        """Start the next episode if none is in progress, but not again after a failure."""
        is_idle = self._task is None or self._task.done()
        if is_idle and not self._failed and (self._task is None or self._study.left(self.model)):
            self._settled.clear()
            self._task = asyncio.create_task(self._play())

    async def settled(self) -> None:
        """Wait a while until there is something to show."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), WAIT_S)

    def shown(self) -> None:
        """Note that the open request is now shown: its answer is timed from here."""
        self._shown_s = monotonic()
        self._shown_at = datetime.now(UTC).isoformat(timespec="milliseconds")

    async def answer(self, turn: str, choice: str, given: Said) -> None:
        """Answer the open request; wait until it is durable and the next request is there.

        An answer to another request, as from a page that was sent twice, changes nothing. Input
        that is not an answer is kept in the fields, with a note.

        Args:
            choice, given: as in `Form.reply`.
        """
        question, waiting = self.question, self._answer
        if question is None or waiting is None or turn != question.turn or waiting.done():
            return
        typed = question.form.texts(given)
        text = question.form.reply(choice, given)
        if text is None:
            self.question = replace(question, typed=typed, note=_lacking(question.form, choice))
            return
        self._typed = {one.name: typed[one.name] for one in question.form.fields if one.stays}
        self.question = None
        self._settled.clear()
        waiting.set_result(self._reply(text))
        await self.settled()

    async def close(self) -> None:
        """Stop. A sent answer is recorded, and the open request is asked again later."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _play(self) -> None:
        try:
            while left := self._study.left(self.model):
                for spec in left:
                    self._spec, self._is_first, self._typed = spec, True, {}
                    await self._study.play(spec, self._ask)
                await self._study.go_on()
        except MirrorRayError as error:
            self._failed = True
            print(f"mirror-ray people: {self.model}: {error}", file=sys.stderr, flush=True)
        finally:
            self.question = None
            self._settled.set()

    async def _ask(self, request: Request, asked: Asked) -> Entry:
        assert self._spec is not None  # noqa: S101 - set before an episode is played
        self._answer = asyncio.get_running_loop().create_future()
        form = form_of(self._spec, request)
        typed = {one.name: self._typed.get(one.name, one.begun) for one in form.fields}
        self.question = _Question(token_hex(8), request, form, self._is_first, typed)
        self._is_first = False
        self._shown_s, self._shown_at = None, ""
        self._settled.set()
        reply = await self._answer
        try:
            return await self._study.record(asked.answered(request, reply))
        except MirrorRayError as error:
            # Otherwise the episode would count it as its own failure, and the person would
            # continue.
            raise EngineError(str(error)) from error

    def _reply(self, text: str) -> Reply:
        # People are not paid by the reply.
        return Reply(
            text=text,
            finish_reason="stop",
            cost_usd=0.0,
            latency_s=0.0 if self._shown_s is None else monotonic() - self._shown_s,
            started_at=self._shown_at,
        )


def _lacking(form: Form, choice: str) -> str:
    needs: Mapping[str, str] = {
        str(place): one.needs for place, one in enumerate(form.choices) if one.needs
    }
    return f"Please fill in {needs[choice]} first." if choice in needs else "Please answer first."
