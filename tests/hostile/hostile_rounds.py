"""A calm run and a hostile one of the same sweep, and what the second must not have changed.

Knows what is played; `hostile_sweep` knows how it is written down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from hostile_server import HONEST
from hostile_sweep import Adversary, Log, asked_since, write_sweep
from hostile_ways import CLASSES, READ
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.sweep.load import load_plan
from support.whole import one_in

PICTURE = {
    "family": "flipset",
    "conditions": ["L2"],
    "seeds": 1,
    "image": ["320x240"],
    "encoding": ["jpeg"],
}
"""One ask with a picture. One only: where a way spoils its key's pace, a second would wait."""

READ_BY: Sequence[Mapping[str, Any]] = (
    {"family": "metacog", "conditions": ["exp1"], "seeds": 1, "channel": ["tools"]},
    {"family": "textmirror", "conditions": ["story"], "seeds": 1},
    {"family": "selfid", "conditions": ["E1"], "seeds": 1, "max_steps": [1]},
)
"""What reads words: answers, bets, tool calls, sentences, JSON objects."""

ONE_OF = 8
"""Of so many ways `make test` plays one through the engine; at the wire all of them always are."""

SWEEPS: Mapping[str, tuple[Sequence[str], Sequence[Mapping[str, Any]]]] = {
    "wire": (tuple(name for name in CLASSES if name not in READ), (PICTURE,)),
    "words": (READ, READ_BY),
}
"""Which classes of ways are played, on which stages."""


@dataclass(frozen=True, slots=True)
class Played:
    """A calm run and a hostile one of the same sweep.

    Args:
        calm, out: their directories.
        printed: what the hostile run showed.
        asked_calmly, asked: what each run asked the server for.
        log: the server's, after both.
    """

    sweep: Path
    calm: Path
    out: Path
    summary: RunSummary
    printed: str
    asked_calmly: Log
    asked: Log
    log: Mapping[str, Any]


def play(sweep: Path, out: Path, *overrides: str) -> tuple[RunSummary, str]:
    """One run, within this process's Ray; what it showed beside."""
    shown = StringIO()
    plan = load_plan(str(sweep), list(overrides), str(out))
    return play_plan(plan, console=Console(file=shown), plain=True), shown.getvalue()


def play_round(name: str, folder: Path, server: Adversary, *, one_route: bool) -> Played:
    """Both runs of one of `SWEEPS`."""
    classes, stages = SWEEPS[name]
    ways = one_in(ONE_OF, (way for one in classes for way in CLASSES[one]))
    sweep = write_sweep(folder, server, ways, stages, one_route=one_route)
    before = server.asked()
    calm, _ = play(sweep, folder / "calm", f"models=['{HONEST}-*']")
    assert (calm.exit_code, calm.episodes_failed) == (0, 0)
    between = server.asked()
    summary, printed = play(sweep, folder / "out")
    log = server.log()
    return Played(
        sweep=sweep,
        calm=folder / "calm",
        out=folder / "out",
        summary=summary,
        printed=printed,
        asked_calmly=asked_since(before, between),
        asked=asked_since(between, log["asked"]),
        log=log,
    )
