"""The page of a run in progress: the state in figures, pages of models, the latest episodes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import ceil

from mirror_ray.core.untrusted import MAX_DIGITS, int_of
from mirror_ray.records.run_state import state_facts, unreachable_models
from mirror_ray.viewer.filters import Filters
from mirror_ray.viewer.html import render
from mirror_ray.viewer.live_models import LiveModel
from mirror_ray.viewer.live_state import LiveState, utc_clock
from mirror_ray.viewer.words import usd

PAGE_MODELS = 50


def live_html(
    run: str,
    state: LiveState,
    query: Mapping[str, str],
    directories: Sequence[str] = (),
    directory: str = "",
) -> str:
    """Return the page; its script requests it again and shows what has changed.

    Args:
        directories: of several runs; the page shows `directory` and links the others.
        query: of the address: ``model_has`` filters the models, ``page`` chooses a page of them.

    Raises:
        SweepError: a value has the wrong type.
    """
    part = Filters.of({"model_has": query.get("model_has", "")}).model_has
    shown = [one for one in state.models if part is None or part.lower() in one.model.lower()]
    pages = max(1, ceil(len(shown) / PAGE_MODELS))
    text = query.get("page", "1")
    given = int_of(text) if text.isascii() and len(text) <= MAX_DIGITS else None
    number = min(pages, max(1, given or 1))
    done, failed, unpaid = (
        sum(getattr(one, name) for one in state.models) for name in ("done", "failed", "unpaid")
    )
    planned = [one.planned for one in state.models]
    now = datetime.now(UTC)
    is_running = state.status.state == "running"
    silent = unreachable_models(state.status, now, UTC) if is_running else []
    n_unpriced = sum(one.n_unpriced for one in state.models)
    return render(
        "live.html",
        "live.js",
        False,
        run=run,
        state=state,
        # The expected end is shown in one place: next to the count.
        about=", ".join(state_facts(replace(state.status, ends_at=None), now, UTC)),
        notes=[*silent, *([state.note] if state.note else [])],
        models=shown[(number - 1) * PAGE_MODELS : number * PAGE_MODELS],
        n_models=len(shown),
        model_has=part or "",
        directories=directories,
        directory=directory,
        same={"model_has": part or "", **({"run_dir": directory} if len(directories) > 1 else {})},
        number=number,
        pages=pages,
        done=done,
        failed=failed,
        unpaid=unpaid,
        planned=None if None in planned or not planned else sum(one or 0 for one in planned),
        asks=sum(one.asks for one in state.models),
        money=_at_least(sum(one.spent_usd for one in state.models), n_unpriced),
        n_unpriced=n_unpriced,
        retries=_retries(state.models),
        left=_left(state, now),
        spent=lambda one: _at_least(one.spent_usd, one.n_unpriced),
    )


def _left(state: LiveState, now: datetime) -> str | None:
    ends_at = state.status.ends_at if state.status.state == "running" else None
    own_s = None if ends_at is None else (ends_at - now).total_seconds()
    left_s = own_s if own_s is not None and own_s > 0 else state.left_s
    if left_s is None:
        return None
    return f"about {timedelta(seconds=round(left_s))} left, until {utc_clock(left_s)}"


def _at_least(total_usd: float, n_unpriced: int) -> str:
    if n_unpriced and not total_usd:
        return "unknown"
    return f"at least {usd(total_usd)}" if n_unpriced else usd(total_usd)


def _retries(models: tuple[LiveModel, ...]) -> list[tuple[str, int]]:
    kinds: dict[str, int] = {}
    for one in models:
        for kind, n in one.retries.items():
            kinds[kind] = kinds.get(kind, 0) + n
    return sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
