"""An episode's record sheet: what it knows of its item, and a row for each ask so far.

Knows that a reply the model never gave ends an episode; does not know any experiment.
"""

from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from mirror_ray.types import Ask, ErrorKind, Outcome, Reply, Turn

ROLE = "subject"
SHORT_TOKENS = 256
LONG_TOKENS = 1024

Row: TypeAlias = dict[str, Any]
Script: TypeAlias = Generator[Ask, Turn, None]
"""An experiment under way: it asks, and fills the sheet."""


class ReplyLostError(Exception):
    """An ask got no reply: an API failure, or a refusal by the provider. Within the family only."""

    def __init__(self, kind: ErrorKind) -> None:
        super().__init__(kind)
        self.kind = kind


class Sheet:
    """Fields of the episode and rows of its asks, filled in as it goes.

    Args:
        run: which repetition it is; agents that waver need to know.
    """

    def __init__(self, fields: Row, run: int) -> None:
        self.fields = fields
        self.rows: list[Row] = []
        self._run = run

    def asked(
        self,
        user: str,
        read: Callable[[Reply], Row],
        *,
        system: str = "",
        truth: Row | None = None,
        max_tokens: int = LONG_TOKENS,
    ) -> Generator[Ask, Turn, tuple[str, Row]]:
        """Ask once, in a context of its own, and note what was read; the reply's text and row.

        Raises:
            ReplyLostError: there is nothing to read; the ask has its row all the same.
        """
        step = len(self.rows) + 1
        turn = yield Ask(
            role=ROLE,
            step=step,
            system=system,
            user=user,
            max_tokens=max_tokens,
            truth={**(truth or {}), "run": self._run},
        )
        if turn.reply.error_kind != "none":
            self.rows.append({})
            raise ReplyLostError(turn.reply.error_kind)
        row = read(turn.reply)
        self.rows.append(row)
        return turn.reply.text, row

    def outcome(self, error_kind: ErrorKind = "none") -> Outcome:
        """The end of the episode, a failed one's too."""
        return Outcome(error_kind == "none", False, error_kind, self.fields, tuple(self.rows))
