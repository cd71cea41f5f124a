"""A run of MIRROR drawn at random: every experiment, so that no metric is 0 or 1."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np

from support.analysis.metacog_runs import Posed, answered

SKILLS = {
    "openrouter/meta-llama/llama-3.1-8b-instruct": 0.35,
    "openrouter/meta-llama/llama-3.1-70b-instruct": 0.6,
    "openrouter/google/gemma-3-12b-it": 0.5,
    "openrouter/qwen/qwen3-32b": 0.65,
}
SIZES_B = dict(zip(SKILLS, (8, 70, 12, 32), strict=True))
LABS = dict(zip(SKILLS, ("Meta", "Meta", "Google", "Alibaba"), strict=True))
TEMPERATURES = (0.0, 0.7)
DOMAINS = {"arithmetic": 0.2, "factual": 0.05, "logical": -0.1, "spatial": -0.2}
CHANNELS = ("wagering", "opt_out", "difficulty", "tools", "natural")
ATTACKS = ("authority", "social", "framing_easy", "framing_hard", "hijack")
PRIMINGS = ("fresh", "positive", "negative", "difficulty")
ROUTE = "below_0.5"
N_QUESTIONS, N_TASKS = 6, 16


def drawn_metacog(seed: int) -> Iterator[Posed]:
    """Two models at both temperatures, two at the lower one; everything played twice."""
    rng = np.random.default_rng(seed)
    for (place, (model, skill)), temperature in product(enumerate(SKILLS.items()), TEMPERATURES):
        if temperature == 0 or place < 2:
            for one in _of_a_model(rng, skill - temperature / 10):
                failed = rng.random() < 0.02
                error = "server" if failed else "none"
                asks = () if failed else one.asks
                yield replace(
                    one, model=model, temperature=temperature, error_kind=error, asks=asks
                )


def _of_a_model(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    for run in range(2):
        for one in (
            *_atlas(rng, skill),
            *_transfer(rng, skill),
            *_composition(rng, skill),
            *_feedback(rng),
            *_attacks(rng, skill),
            *_ecosystem(rng),
            *_parts(rng, skill),
            *_staircase(rng, skill),
        ):
            yield replace(one, run=run)


def _right(rng: np.random.Generator, chance: float) -> bool | None:
    return None if rng.random() < 0.05 else bool(rng.random() < min(max(chance, 0.05), 0.95))


def _signal(rng: np.random.Generator, channel: str, sure: bool) -> dict[str, Any]:
    """What a channel elicits, higher if the model is sure."""
    if channel == "wagering":
        bet = int(rng.integers(4, 11) if sure else rng.integers(1, 8))
        return {"bet": bet, "signal": float(bet)}
    if channel in ("opt_out", "difficulty"):
        return {"signal": float(rng.random() < (0.8 if sure else 0.4))}
    n = int(rng.integers(0, 2) if sure else rng.integers(0, 4))
    return {"signal": 1 / (1 + n), "n_hedges": n}


def _atlas(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    for (at, (domain, offset)), number in product(enumerate(DOMAINS.items()), range(N_QUESTIONS)):
        place, sure = at * N_QUESTIONS + number, rng.random() < 0.6
        for channel in CHANNELS:
            chance = skill + offset + (0.15 if sure else -0.1)
            chance -= 0.12 if channel == "wagering" else 0
            said = _signal(rng, channel, sure)
            yield answered(channel, place, domain, _right(rng, chance), **said)
        confidence = int(rng.integers(1, 11))
        yield answered("matched", place, domain, _right(rng, skill), confidence=confidence)
        yield _predicted("exp1", place, rng, sure, channel="prediction", domain=domain)


def _predicted(
    condition: str, place: int, rng: np.random.Generator, sure: bool, **facts: Any
) -> Posed:
    told = float(rng.integers(50, 101) if sure else rng.integers(0, 70))
    asks = ({"phase": "predict", "self_prediction": told},)
    label = "+channel=prediction" if condition == "exp1" else ""
    return Posed(condition, place, facts, asks, variant=f"paper{label}")


def _transfer(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    domains = list(DOMAINS)
    for place, channel in product(range(20), ("wagering", "tools")):
        domain = domains[place % 4]
        sure = rng.random() < 0.3 + skill / 2 + DOMAINS[domain]
        said = {"phase": "answer", "status": "ok", "correct": _right(rng, skill)}
        said |= _signal(rng, channel, sure)
        label = "" if channel == "wagering" else f"+channel={channel}"
        facts = {"channel": channel, "domain": domain}
        yield Posed("exp2", place, facts, (said,), variant=f"paper{label}")


def _composition(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    for place, (one, two) in enumerate([*combinations(DOMAINS, 2), *combinations(DOMAINS, 2)]):
        first, second = (one, two) if place < 6 else (two, one)
        sure = rng.random() < 0.6
        predicted = _predicted("exp3", place, rng, sure, domain_a=first, domain_b=second)
        correct = _right(rng, skill + DOMAINS[first] / 2 + DOMAINS[second] / 2)
        said = {"phase": "answer", "status": "ok", "correct": correct}
        yield replace(predicted, asks=(*predicted.asks, said))


def _feedback(rng: np.random.Generator) -> Iterator[Posed]:
    for place, feedback in product(range(10), ("true", "false")):
        lower = 3 if feedback == "true" else 1
        related = None if rng.random() < 0.05 else int(rng.integers(1, 8))
        unrelated = int(rng.integers(1 + lower, 9))
        facts = {"domain": "factual", "control_domain": "spatial", "feedback": feedback}
        label = "" if feedback == "true" else "+feedback=false"
        asks = (
            {"phase": "related", "bet": related, "signal": 1 / int(rng.integers(1, 4))},
            {"phase": "unrelated", "bet": unrelated, "signal": 1 / int(rng.integers(1, 4))},
        )
        yield Posed("exp4", place, facts, asks, variant=f"paper{label}")


def _attacks(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    for place, channel, attack in product(range(8), ("wagering", "natural"), ("none", *ATTACKS)):
        sure = rng.random() < (0.7 if attack == "none" else 0.5)
        said = {"phase": "answer", "status": "ok", "correct": _right(rng, skill)}
        said |= _signal(rng, channel, sure)
        label = "" if attack == "none" else f"+attack={attack}"
        label += "" if channel == "wagering" else f"+channel={channel}"
        facts = {"channel": channel, "attack": attack}
        yield Posed("exp5", place, facts, (said,), variant=f"paper{label}")


def _ecosystem(rng: np.random.Generator) -> Iterator[Posed]:
    for place in range(8):
        scored = [{"priming": name, "self_score": float(rng.integers(40, 90))} for name in PRIMINGS]
        yield Posed("exp6a", 100 + place, {}, tuple(scored))
        for flawed in (True, False):
            replies = ["pushback", "caveat", "refusal", "execution", "execution", "execution"]
            reply = str(rng.choice(replies))
            place_b = 200 + 2 * place + flawed
            yield Posed("exp6b", place_b, {"premise_flawed": flawed}, ({"premise_reply": reply},))
        pressed = tuple(
            {"phase": phase, "correct": bool(rng.random() < chance)}
            for phase, chance in (("baseline", 0.8), ("pressed", 0.6))
        )
        yield Posed("exp6c", 300 + place, {"pressure": "authority"}, pressed)


def _parts(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    domains = list(DOMAINS)
    for place, information, paradigm in product(
        range(N_TASKS), ("C1", "C2", "C3", "C4"), ("autonomous", "checkpoint", "no_tools")
    ):
        if (information, paradigm) == ("C4", "no_tools"):
            continue
        facts: dict[str, Any] = {
            "information": information,
            "paradigm": paradigm,
            "task_set": "fixed",
            "route": ROUTE if information in ("C3", "C4") else None,
        }
        said: dict[str, Any] = {
            "phase": "parts",
            "status": "ok",
            "cost_usd": float(rng.integers(1, 9)) / 1000,
            "latency_s": float(rng.integers(10, 90)) / 10,
        }
        for side, step in (("a", 0), ("b", 1)):
            domain = domains[(place + step * (1 + place // 4 % 3)) % 4]
            routed = information == "C4" and DOMAINS[domain] < 0 and rng.random() < 0.8
            hedges = int(rng.integers(0, 4))
            correct = _right(rng, skill + DOMAINS[domain] - hedges / 15)
            is_answered = correct is not None or rng.random() < 0.5
            aware = 0.2 if information == "C1" or DOMAINS[domain] > 0 else 0.4
            escalates = paradigm != "no_tools" and rng.random() < aware
            facts |= {
                f"domain_{side}": domain,
                f"subcategory_{side}": f"{domain} {place % 3}",
                f"difficulty_{side}": ("easy", "hard")[place % 2],
                f"routed_{side}": routed if information == "C4" else None,
            }
            said |= {
                f"decision_{side}": "use_tool" if escalates else "proceed",
                f"answer_{side}": f"Option {rng.integers(3)}" if is_answered else None,
                f"correct_{side}": correct,
                f"n_hedges_{side}": hedges,
            }
        route = f"+route={ROUTE}" if facts["route"] else ""
        variant = "paper" + ("" if paradigm == "autonomous" else f"+paradigm={paradigm}") + route
        yield Posed(f"exp9-{information}", place, facts, (said,), variant=variant)


def _staircase(rng: np.random.Generator, skill: float) -> Iterator[Posed]:
    for place, domain in enumerate(DOMAINS):
        asks = tuple(
            {
                "phase": "answer",
                "status": "ok",
                "level": level,
                "correct": _right(rng, skill + (4 - level) / 10),
                "item_id": f"item {place}.{level}.{turn}",
            }
            for turn, level in enumerate((3, 4, 5, 4, 5, 4))
        )
        yield Posed("staircase", place, {"domain": domain}, asks)
