"""The backend that plays a catalogue entry with an offline agent."""

import asyncio
from datetime import UTC, datetime
from time import perf_counter

from mirror_ray.agents.prompt import UnfamiliarPromptError, known_content, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.model import Model


class Scripted:
    """Replies of the agent `model.target`: free of charge, after `model.latency_s`. Token counts
    are None, because an agent reads no tokens. Raise KeyError if the agent is unknown."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._agent = AGENTS[model.target]

    async def available(self) -> None:
        """Return at once: it is always available."""

    async def reply(self, request: Request) -> Reply:
        """Return the agent's reply; `bad_request` if it does not support this kind of prompt."""
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        start_s = perf_counter()
        prompt = prompt_for(
            self._model.target,
            request.system,
            request.user,
            [image.data for image in request.images],
            request.truth,
            contents=list(map(known_content, request.images)),
        )
        text, error = "", None
        try:
            text = self._agent(prompt)
        except UnfamiliarPromptError as unfamiliar:
            error = f"{self._model.name}: {unfamiliar}"
        await asyncio.sleep(self._model.latency_s)
        return Reply(
            text=text,
            finish_reason="stop" if error is None else None,
            error_kind="none" if error is None else "bad_request",
            error=error,
            cost_usd=0.0,
            latency_s=perf_counter() - start_s,
            model_version=f"scripted/{self._model.target} 1",
            started_at=started_at,
        )

    async def aclose(self) -> None:
        """Do nothing: there are no connections to close."""
