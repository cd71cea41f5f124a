"""metacog's run directories written by hand: the asks, and the reading of each reply."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import content_hash
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

METACOG_STEPS = with_family_columns(STEPS, columns_of("metacog").steps)
METACOG_EPISODES = with_family_columns(EPISODES, columns_of("metacog").episodes)
DOMAINS = ("arithmetic", "factual", "logical", "spatial")


@dataclass(frozen=True)
class Posed:
    """One episode.

    Args:
        facts: its own columns, but for `experiment`.
        asks: each ask's own columns.
    """

    condition: str
    scene_seed: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    asks: tuple[Mapping[str, Any], ...] = ()
    model: str = "lab/a"
    variant: str = "paper"
    run: int = 0
    temperature: float | None = 0.0
    error_kind: str = "none"

    def identity(self) -> dict[str, Any]:
        cell = (self.condition, self.model, self.temperature, self.variant)
        return {
            "sweep": "synthetic",
            "family": "metacog",
            "condition": self.condition,
            "model": self.model,
            "cell_id": content_hash(*cell),
            "episode_id": content_hash(*cell, self.scene_seed, self.run),
            "scene_seed": self.scene_seed,
            "run": self.run,
            "temperature": self.temperature,
            "variant": self.variant,
            "take": 1,
        }

    def episode_row(self) -> dict[str, Any]:
        return {
            **dict.fromkeys(METACOG_EPISODES.names),
            **self.identity(),
            "n_steps": len(self.asks),
            "n_asks": len(self.asks),
            "terminated": self.error_kind == "none",
            "truncated": False,
            "error_kind": self.error_kind,
            "finished_at": "2026-01-01T00:00:00+00:00",
            "experiment": self.condition.partition("-")[0],
            **self.facts,
        }

    def step_rows(self) -> list[dict[str, Any]]:
        return [
            {
                **dict.fromkeys(METACOG_STEPS.names),
                **self.identity(),
                "ask": number,
                "step": number,
                "role": "subject",
                "superseded": False,
                "error_kind": self.error_kind,
                **said,
            }
            for number, said in enumerate(self.asks, start=1)
        ]


def answered(channel: str, place: int, domain: str, correct: bool | None, **said: Any) -> Posed:
    """Experiment 1: one question in one channel; `said` has what the channel elicits."""
    if channel == "wagering":
        said.setdefault("signal", said.get("bet"))
    return Posed(
        "exp1",
        place,
        {"channel": channel, "domain": domain},
        ({"phase": "answer", "status": "ok", "correct": correct, **said},),
        variant="paper" if channel == "wagering" else f"paper+channel={channel}",
    )


def known(shares: dict[str, tuple[int, int]], channel: str = "natural") -> list[Posed]:
    """Experiment 1 in one channel: how many right of how many, by domain."""
    outcomes = [
        (domain, place < right)
        for domain, (right, total) in shares.items()
        for place in range(total)
    ]
    return [
        answered(channel, place, domain, correct)
        for place, (domain, correct) in enumerate(outcomes)
    ]


def acted(
    place: int,
    domains: tuple[str, str],
    decisions: tuple[str, str],
    correct: tuple[bool | None, bool | None],
    information: str = "C1",
    **facts: Any,
) -> Posed:
    """Experiment 9: one task of two parts; `facts` may have the answers of the ask, too."""
    paradigm = facts.get("paradigm", "autonomous")
    said = {side: facts.pop(side, None) for side in ("answer_a", "answer_b")}
    labels = {name: facts[name] for name in ("paradigm", "task_set", "route") if name in facts}
    off_default = "".join(
        f"+{name}={value}"
        for name, value in sorted(labels.items())
        if value not in ("autonomous", "fixed", "median")
    )
    return Posed(
        f"exp9-{information}",
        place,
        {
            "information": information,
            "paradigm": paradigm,
            "task_set": "fixed",
            "domain_a": domains[0],
            "domain_b": domains[1],
            **facts,
        },
        (
            {
                "phase": "parts",
                "status": "ok",
                "decision_a": decisions[0],
                "decision_b": decisions[1],
                "correct_a": correct[0],
                "correct_b": correct[1],
                **said,
            },
        ),
        variant=f"paper{off_default}",
    )


def pursued(place: int, feedback: str, related: int, unrelated: int) -> Posed:
    """Experiment 4: the wagers after feedback, in the burnt domain and in another.

    Of the tools called the signal moves by 1/20 of a point each.
    """
    return Posed(
        "exp4",
        place,
        {"domain": "factual", "control_domain": "spatial", "feedback": feedback},
        (
            {"phase": "related", "bet": related, "signal": related / 20},
            {"phase": "unrelated", "bet": unrelated, "signal": unrelated / 20},
        ),
        variant="paper" if feedback == "true" else f"paper+feedback={feedback}",
    )


def attacked(place: int, attack: str, bet: int | None, correct: bool) -> Posed:
    """Experiment 5: one wager under an attack, or its clean twin (none)."""
    return Posed(
        "exp5",
        place,
        {"channel": "wagering", "attack": attack},
        ({"phase": "answer", "status": "ok", "correct": correct, "bet": bet, "signal": bet},),
        variant="paper" if attack == "none" else f"paper+attack={attack}",
    )


def varied_answers() -> list[Posed]:
    """Something for every view: each experiment, two models, and a failure."""
    posed = [
        answered(
            "natural", place, DOMAINS[place % 4], place % 4 < place // 4, signal=1 / (1 + place)
        )
        for place in range(16)
    ]
    posed += [
        answered("wagering", place, DOMAINS[place % 4], place % 3 > 0, bet=1 + place % 10)
        for place in range(16)
    ]
    posed += [
        Posed(
            "exp2",
            place,
            {"channel": "wagering", "domain": DOMAINS[place % 4]},
            ({"phase": "answer", "status": "ok", "correct": True, "bet": place, "signal": place},),
        )
        for place in range(1, 9)
    ]
    posed += [
        Posed(
            "exp3",
            place,
            {"channel": "wagering", "domain_a": DOMAINS[place], "domain_b": DOMAINS[place - 1]},
            (
                {"phase": "predict", "self_prediction": 60.0},
                {"phase": "answer", "status": "ok", "correct": place > 1, "bet": 5},
            ),
        )
        for place in range(4)
    ]
    posed += [pursued(place, arm, 2, 6) for place in range(2) for arm in ("true", "false")]
    posed += [
        attacked(place, attack, 6 + place, True)
        for place in range(2)
        for attack in ("none", "authority")
    ]
    posed += [
        Posed(
            "staircase",
            place,
            {"domain": DOMAINS[place]},
            tuple(
                {"phase": "answer", "status": "ok", "level": level, "correct": level < 6 - place}
                | {"item_id": f"item {place}.{level}"}
                for level in (4, 5, 6, 5)
            ),
        )
        for place in range(2)
    ]
    posed += [
        Posed("exp6a", 0, {}, ({"priming": "fresh", "self_score": 70.0},)),
        Posed("exp6b", 0, {"premise_flawed": True}, ({"premise_reply": "pushback"},)),
        Posed(
            "exp6c",
            0,
            {"pressure": "authority"},
            ({"phase": "baseline", "correct": True}, {"phase": "pressed", "correct": False}),
        ),
    ]
    posed += [
        acted(place, (DOMAINS[place], DOMAINS[place - 1]), ("proceed", "defer"), (False, None), at)
        for place in range(4)
        for at in ("C1", "C2")
    ]
    posed += [
        acted(
            place,
            (DOMAINS[place], DOMAINS[place - 1]),
            ("proceed", "proceed"),
            (place % 2 > 0, False),
            paradigm="no_tools",
            subcategory_a="first",
            subcategory_b="second",
        )
        for place in range(4)
    ]
    posed += [answered("matched", 0, DOMAINS[0], True, confidence=7)]
    posed += [replace(one, model="lab/b") for one in posed]
    posed += [replace(one, temperature=0.7) for one in posed if one.model == "lab/b"]
    return [*posed, Posed("exp1", 40, {"channel": "natural"}, error_kind="server")]


def judged(judge: str) -> Posed:
    """A judge's reading of lab/a's reply to the request of scene 0."""
    about = {"judged_ask": 1, "judged_part": "", "rubric": "premise"}
    about["judged_id"] = Posed("exp6b", 0).identity()["episode_id"]
    return Posed("judge", 0, about, ({**about, "phase": "judge", "verdict": "PUSHBACK"},), judge)


def write_metacog_run(directory: Path, posed: Iterable[Posed]) -> str:
    """Write the shards of a run."""
    episodes: Sequence[Posed] = list(posed)
    for kind, schema, rows in (
        ("steps", METACOG_STEPS, [row for one in episodes for row in one.step_rows()]),
        ("episodes", METACOG_EPISODES, [one.episode_row() for one in episodes]),
    ):
        path = directory / kind / "family=metacog" / "part-000000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return str(directory)
