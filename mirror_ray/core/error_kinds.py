"""How a request may end: the kinds of failure, and which of them can be retried."""

from typing import Literal, get_args

ErrorKind = Literal[
    "none", "rate_limit", "shed", "server", "timeout", "connection", "content_filter", "refusal",
    "context_window", "auth", "bad_request", "budget", "parse", "render", "internal",
]  # fmt: skip
ERROR_KINDS: tuple[str, ...] = get_args(ErrorKind)

UNPAID = "budget"
"""Of an episode that was stopped for lack of money: neither failed nor unplayed."""

RETRYABLE_KINDS: frozenset[str] = frozenset(
    {"rate_limit", "shed", "server", "timeout", "connection"}
)
"""Failures that another attempt may cure; "shed": the provider had no capacity at the cheaper
price."""

FINAL_KINDS: frozenset[str] = frozenset(
    {"none", "parse", "content_filter", "refusal", "context_window"}
)
"""The model's own replies and refusals: recorded in the journal, never requested again. An episode
that ended by any other kind (a spent budget, a wrong key, a dead actor) is played again by a later
run."""
