"""What stopping early saves, and how often it says something else than the whole design would.

    python benchmarks/stopping.py [--boards 1_280]

Simulates boards of models with planted shares that are asked the same scenes: `--boards` of each
kind and number of scenes. Prints the tables of docs/stopping.md: what is not asked, verdicts equal
to and opposite to those of the whole design, how often the 95 % intervals hold the planted share.
"""

import argparse
from collections.abc import Callable, Mapping
from itertools import combinations
from statistics import NormalDist
from time import process_time

import numpy as np
from numpy.typing import NDArray

from mirror_ray.stopping.outlook import outlook
from mirror_ray.stopping.precision import share_of

KINDS: Mapping[str, tuple[float, ...]] = {
    "one leader": (0.95, 0.6, 0.5, 0.45, 0.4, 0.4, 0.35, 0.33),
    "two groups": (0.95, 0.93, 0.9, 0.9, 0.4, 0.38, 0.35, 0.33),
    "spread": (0.95, 0.9, 0.8, 0.7, 0.55, 0.45, 0.4, 0.33),
    "all close": (0.72, 0.7, 0.68, 0.66, 0.64, 0.62, 0.6, 0.58),
    "two, far apart": (0.95, 0.33),
    "two, near": (0.9, 0.7),
    "two, alike": (0.8, 0.8),
}
SCENES = (21, 50, 100, 200)
SHARES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
HALF_WIDTHS = (0.1, 0.07, 0.05)
CELLS = 16
"""Of each share and half width, times the boards."""
ROUND, ALPHA, LEVEL, SHARED = 5, 0.05, 0.99, 0.35
"""Scenes of a round; of all comparisons together; of a verdict; correlation through hard scenes."""

Bools, Ints = NDArray[np.bool_], NDArray[np.int64]


def answers(
    generator: np.random.Generator, shares: tuple[float, ...], boards: int, scenes: int
) -> Bools:
    """(boards, models, scenes): who is right where; some scenes are hard for all."""
    hard = generator.normal(size=(boards, 1, scenes))
    own = generator.normal(size=(boards, len(shares), scenes))
    bound = np.array([NormalDist().inv_cdf(one) for one in shares])[:, np.newaxis]
    return np.sqrt(SHARED) * hard + np.sqrt(1 - SHARED) * own < bound


def foretold(differ: Ints, asked: int, scenes: int, alpha: float) -> NDArray[np.float64]:
    """(…, 3): probability of first, second, neither; differ (…, 2) are the counts so far."""
    states, where = np.unique(differ.reshape(-1, 2), axis=0, return_inverse=True)
    found = [outlook(int(b), int(c), asked, scenes, alpha) for b, c in states]
    table = np.array([(one.first, one.second, one.neither) for one in found])
    return table[where.reshape(-1)].reshape(*differ.shape[:-1], 3)


def counts(right: Bools, first: Ints, second: Ints) -> Ints:
    """(boards, pairs, 2): scenes that one of the two alone gets right."""
    one, other = right[:, first], right[:, second]
    return np.stack([(one & ~other).sum(axis=2), (~one & other).sum(axis=2)], axis=-1)


def stopped_verdicts(right: Bools) -> tuple[Ints, Ints, Ints]:
    """Every pair is a comparison: scenes asked of each model; verdicts at the stop and in full."""
    boards, models, scenes = right.shape
    pairs = np.array(list(combinations(range(models), 2)))
    first, second = pairs.T
    alpha = ALPHA / len(pairs)
    full = foretold(counts(right, first, second), scenes, scenes, alpha).argmax(axis=2)
    verdicts = np.full((boards, len(pairs)), -1)
    asked = np.full((boards, models), scenes)
    for n in [*range(ROUND, scenes, ROUND), scenes]:
        chances = foretold(counts(right[:, :, :n], first, second), n, scenes, alpha)
        now = (verdicts < 0) & (chances.max(axis=2) >= LEVEL)
        verdicts[now] = chances.argmax(axis=2)[now]
        is_open = np.zeros((boards, models), np.bool_)
        for pair, (one, other) in enumerate(pairs):
            is_open[:, one] |= verdicts[:, pair] < 0
            is_open[:, other] |= verdicts[:, pair] < 0
        asked = np.where(is_open, asked, np.minimum(asked, n))
    return asked, verdicts, full


def stopped_best(right: Bools) -> tuple[Ints, Ints, Ints]:
    """A model is compared with the best: scenes asked of each; who is worse than the best, at the
    stop and in full (0 worse, 2 not told apart)."""
    boards, models, scenes = right.shape
    alpha = ALPHA / (models - 1)
    every = np.arange(models)
    dropped = np.zeros((boards, models), np.bool_)
    asked = np.full((boards, models), scenes)

    def worse(n: int, out: Bools) -> Bools:
        """(boards, models): the leader of those in will be told to be better."""
        total = np.where(out, -1, right[:, :, :n].sum(axis=2))
        leader = total.argmax(axis=1)
        ahead = right[np.arange(boards), leader, :n][:, np.newaxis]
        mine = right[:, :, :n]
        differ = np.stack([(ahead & ~mine).sum(axis=2), (~ahead & mine).sum(axis=2)], axis=-1)
        chances = foretold(differ, n, scenes, alpha)
        return (chances[:, :, 0] >= LEVEL) & (every != leader[:, np.newaxis]) & ~out

    full = worse(scenes, dropped)
    for n in [*range(ROUND, scenes, ROUND), scenes]:
        dropped |= worse(n, dropped)
        over = (dropped.sum(axis=1) == models - 1)[:, np.newaxis]
        asked = np.where(dropped | over, np.minimum(asked, n), asked)
    return asked, np.where(dropped, 0, 2), np.where(full, 0, 2)


def held(right: Bools, asked: Ints, shares: tuple[float, ...]) -> float:
    """How often Wilson's interval over the scenes asked holds the planted share."""
    upto = np.arange(right.shape[2]) < asked[:, :, np.newaxis]
    totals = (right & upto).sum(axis=2)
    inside = 0
    for model, share in enumerate(shares):
        pairs, times = np.unique(
            np.stack([totals[:, model], asked[:, model]], axis=1), axis=0, return_counts=True
        )
        found = [share_of(float(total), int(n)) for total, n in pairs]
        inside += sum(
            int(k) for one, k in zip(found, times, strict=True) if one.low <= share <= one.high
        )
    return inside / asked.size


def board_line(
    kind: str, scenes: int, boards: int, rule: Callable[[Bools], tuple[Ints, Ints, Ints]]
) -> str:
    """One line of Markdown."""
    generator = np.random.default_rng([scenes, list(KINDS).index(kind)])
    right = answers(generator, KINDS[kind], boards, scenes)
    asked, verdicts, full = rule(right)
    equal = (verdicts == full).mean()
    opposite = ((verdicts != full) & (verdicts != 2) & (full != 2)).mean()
    saved = 1 - asked.sum() / (asked.size * scenes)
    coverage = held(right, asked, KINDS[kind])
    whole = held(right, np.full_like(asked, scenes), KINDS[kind])
    return (
        f"| {kind} | {scenes} | {saved:.0%} | {1 / (1 - saved):.2f}× | {equal:.2%} |"
        f" {opposite:.3%} | {coverage:.1%} | {whole:.1%} |"
    )


def precision_line(half_width: float, cells: int) -> str:
    """One line of Markdown: scenes asked, and how often the interval holds, for each share."""
    figures = []
    for share in SHARES:
        generator = np.random.default_rng([round(1_000 * half_width), round(1_000 * share)])
        totals = (generator.random((cells, 400)) < share).cumsum(axis=1)
        asked, inside = np.full(cells, 400), np.zeros(cells, np.bool_)
        waiting = np.ones(cells, np.bool_)
        for n in range(20, 401, ROUND):
            of = [share_of(float(total), n) for total in range(n + 1)]
            narrow = np.array([one.half_width <= half_width or n == 400 for one in of])
            holds = np.array([one.low <= share <= one.high for one in of])
            now = waiting & narrow[totals[:, n - 1]]
            asked[now], inside[now] = n, holds[totals[:, n - 1]][now]
            waiting &= ~now
        figures.append(f"{asked.mean():.0f} ({inside.mean():.1%})")
    return f"| ±{half_width:.2f} | {' | '.join(figures)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=1_280)
    boards = parser.parse_args().boards
    head = "saved | times | same verdict | opposite | intervals hold | in full"
    for rule, name in ((stopped_verdicts, "verdict"), (stopped_best, "best_of")):
        print(f"\n| {name}: board | scenes | {head} |\n|{'---|' * 8}")
        for kind in KINDS:
            for scenes in SCENES:
                print(board_line(kind, scenes, boards, rule), flush=True)
    print(f"\n| half_width | {' | '.join(f'{one:g}' for one in SHARES)} |\n|{'---|' * 8}")
    for half_width in HALF_WIDTHS:
        print(precision_line(half_width, CELLS * boards), flush=True)
    simulated = len(KINDS) * len(SCENES) * boards
    print(f"\n{simulated:,} boards for each of two rules, {process_time():.0f} CPU s")


if __name__ == "__main__":
    main()
