"""Measure what early stopping saves, and how often its verdict differs from the whole design's.

    python benchmarks/stopping.py [--boards 1_280]

Simulates boards of models with known shares on the same scenes, `--boards` of each kind and number
of scenes. Prints the tables of docs/stopping.md: episodes saved, verdicts equal to and opposite to
those of the whole design, and how often the 95 % intervals contain the known share.
"""

import argparse
from collections.abc import Callable, Mapping
from time import process_time

import numpy as np

from mirror_ray.stopping.boards import Bools, Ints, answers, by_best, by_verdict
from mirror_ray.stopping.deciding import wilson_interval

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
"""Cells of each share and half width, times the boards."""
ROUND, LEVEL = 5, 0.99
"""Scenes of a round; probability of a verdict."""


def held(right: Bools, asked: Ints, shares: tuple[float, ...]) -> float:
    """Return how often Wilson's interval over the scenes played contains the known share."""
    upto = np.arange(right.shape[2]) < asked[:, :, np.newaxis]
    totals = (right & upto).sum(axis=2)
    inside = 0
    for model, share in enumerate(shares):
        pairs, times = np.unique(
            np.stack([totals[:, model], asked[:, model]], axis=1), axis=0, return_counts=True
        )
        found = [wilson_interval(float(total), int(n)) for total, n in pairs]
        inside += sum(
            int(k) for one, k in zip(found, times, strict=True) if one.low <= share <= one.high
        )
    return inside / asked.size


def board_line(
    kind: str,
    scenes: int,
    boards: int,
    rule: Callable[[Bools, float, tuple[int, ...]], tuple[Ints, Ints, Ints]],
) -> str:
    """Return one line of Markdown."""
    generator = np.random.default_rng([scenes, list(KINDS).index(kind)])
    right = answers(generator, np.array(KINDS[kind]), boards, scenes)
    asked, verdicts, full = rule(right, LEVEL, (*range(ROUND, scenes, ROUND), scenes))
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
    """Return one line of Markdown: scenes played and coverage of the interval, per share."""
    figures = []
    for share in SHARES:
        generator = np.random.default_rng([round(1_000 * half_width), round(1_000 * share)])
        totals = (generator.random((cells, 400)) < share).cumsum(axis=1)
        asked, inside = np.full(cells, 400), np.zeros(cells, np.bool_)
        waiting = np.ones(cells, np.bool_)
        for n in range(20, 401, ROUND):
            of = [wilson_interval(float(total), n) for total in range(n + 1)]
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
    for rule, name in ((by_verdict, "verdict"), (by_best, "best_of")):
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
