"""An episode's record: the fields of its item, and a row for each request so far.

A missing reply ends the episode, in every experiment."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, TypeAlias

from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import Ask, Outcome, Reply, Turn
from mirror_ray.reading.thinking import without_thinking

_ROLE = "subject"
SHORT_TOKENS = 256
LONG_TOKENS = 1024

MetacogRow: TypeAlias = dict[str, Any]
Script: TypeAlias = Generator[Ask, Turn, None]
"""An experiment in progress, which makes requests and fills the record."""


class ReplyLostError(Exception):
    """A request got no reply: an API failure, or a refusal by the provider."""

    def __init__(self, kind: ErrorKind) -> None:
        super().__init__(kind)
        self.kind = kind


class EpisodeRecord:
    """Fields of the episode and rows of its requests, filled in during play. `run` is the
    repetition's number, used by agents that vary their answers."""

    def __init__(self, fields: MetacogRow, run: int, texts: Texts) -> None:
        self.fields, self.texts = fields, texts
        self.rows: list[MetacogRow] = []
        self._run = run

    def asked(
        self,
        user: str,
        read: Callable[[Reply], MetacogRow],
        *,
        system: str = "",
        truth: MetacogRow | None = None,
        max_tokens: int = LONG_TOKENS,
        role: str = _ROLE,
    ) -> Generator[Ask, Turn, tuple[str, MetacogRow]]:
        """Ask once, without earlier context, and note the reading; return the reply's text and row.

        Thinking is removed: it is neither read nor carried into a later request.

        Raises:
            ReplyLostError: there is nothing to read; the request has a row nevertheless.
        """
        step = len(self.rows) + 1
        turn = yield Ask(
            role=role,
            step=step,
            system=system,
            user=user,
            max_tokens=max_tokens,
            truth={**(truth or {}), "run": self._run},
        )
        if turn.reply.error_kind != "none":
            self.rows.append({})
            raise ReplyLostError(turn.reply.error_kind)
        said = replace(turn.reply, text=without_thinking(turn.reply.text))
        row = read(said)
        if said.text != turn.reply.text:
            row["parse_fixes"] = ["removed thinking", *row["parse_fixes"]]
            if row["parse_status"] == "strict":
                row["parse_status"] = "cleaned"
        self.rows.append(row)
        return said.text, row

    def outcome(self, error_kind: ErrorKind = "none") -> Outcome:
        """Return the end of the episode, even if it ended with an error."""
        return Outcome(error_kind == "none", False, error_kind, self.fields, tuple(self.rows))
