"""Measure the rewards of policies that know nothing, or everything, in the environments.

    python benchmarks/gym_baselines.py [--episodes 200]

`random` takes any action, `guess` ends at once with a random colour, `told` reads its colour in
`info`, which no agent is shown. Prints the table of docs/gym.md.
"""

import argparse
from collections.abc import Callable, Mapping
from math import sqrt
from time import process_time
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

import mirror_ray.integrations.gym
from mirror_ray.families.selfid.gym_environment import GYM_MOVES, PLAYED
from sim_assets.colors import COLOR_NAMES

Policy = Callable[[np.random.Generator, Mapping[str, Any]], int]

POLICIES: Mapping[str, Policy] = {
    "random": lambda rng, info: int(rng.integers(len(GYM_MOVES) + len(COLOR_NAMES))),
    "guess": lambda rng, info: len(GYM_MOVES) + int(rng.integers(len(COLOR_NAMES))),
    "told": lambda rng, info: len(GYM_MOVES) + COLOR_NAMES.index(info["truth"]["ego_color"]),
}


def main() -> None:
    """Play every policy in every condition, on the same scenes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=200)
    n = options.parse_args().episodes
    mirror_ray.integrations.gym.register()
    table = Table("policy", *PLAYED, title=f"Mean reward ± standard error, n = {n} scenes each")
    steps, began_s = 0, process_time()
    for name, policy in POLICIES.items():
        cells = []
        for condition in PLAYED:
            rewards, played = _rewards(condition, policy, n)
            steps += played
            mean = float(np.mean(rewards))
            cells.append(f"{mean:.2f} ± {sqrt(mean * (1 - mean) / n):.2f}")
        table.add_row(name, *cells)
    console = Console()
    console.print(table)
    console.print(f"{steps / (process_time() - began_s):.0f} steps per CPU second at 640x480")


def _rewards(condition: str, policy: Policy, n: int) -> tuple[list[float], int]:
    env = gymnasium.make(f"mirror_ray/SelfID-{condition}-v0")
    rng = np.random.default_rng(0)
    rewards, steps = [], 0
    for seed in range(n):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, terminated, truncated, info = env.step(policy(rng, info))
            ended, steps = terminated or truncated, steps + 1
        rewards.append(float(reward))
    env.close()
    return rewards, steps


if __name__ == "__main__":
    main()
