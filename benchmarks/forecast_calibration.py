"""Measure how often the forecast's 90 % intervals contain the true cost and duration of a sweep.

    python benchmarks/forecast_calibration.py [--rehearsals 300] [--scenes 16] [--seed 0]

Agents play a pool of selfid's episodes in this process, once each. A rehearsal draws an agent,
scenes of the pool, a latency and its spread. It plays them on a virtual clock, several episodes at
once, as a hosted model with a price would. When a share of its episodes has ended,
`mirror_ray.sweep` forecasts the rest from the records so far, and the forecast is compared with
the rest of the rehearsal.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console
from rich.table import Table

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.family import advance
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Observation, Reply, Turn
from mirror_ray.providers.mock.chat_wire import MOCK_CHARS_PER_TOKEN, TOKENS_PER_IMAGE
from mirror_ray.records.usage import AskUsage, EpisodeUsage, Usage
from mirror_ray.sweep.duration import timetable
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import known_bills_usd
from mirror_ray.sweep.sampling import Samples, sample_scenes
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer

AGENTS_AT_PLAY = ("blind", "gullible", "mute", "observer", "oracle")
PER_MTOK_IN_USD, PER_MTOK_OUT_USD = 1.25, 10.0
AT_ONCE = 8
ENDED_SHARES = (0.1, 0.2, 0.5)
"""Shares of ended episodes at which the rest is forecast."""

SWEEP = """\
name: calibration
models: [house/m]
catalogue: [house.yaml]
stages:
  - {family: selfid, conditions: [E1, E2, E3, E4, E5], seeds: 1, temperature: [0.2], max_steps: 30}
out: runs/never
"""
HOUSE = f"""\
models:
  house/m:
    target: hosted_vllm/m
    base_url: "http://127.0.0.1:9/v1"
    concurrency: {AT_ONCE}
    usd_per_mtok_in: {PER_MTOK_IN_USD}
    usd_per_mtok_out: {PER_MTOK_OUT_USD}
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a played episode: characters of its prompt and reply, and its pictures."""

    prompt_chars: int
    reply_chars: int
    pictures: int

    @property
    def tokens_in(self) -> int:
        """Count tokens as the mock server does."""
        return self.prompt_chars // MOCK_CHARS_PER_TOKEN + TOKENS_PER_IMAGE * self.pictures

    @property
    def tokens_out(self) -> int:
        """Count tokens as the mock server does."""
        return max(1, self.reply_chars // MOCK_CHARS_PER_TOKEN)

    @property
    def cost_usd(self) -> float:
        """Return the cost at the model's prices."""
        return (self.tokens_in * PER_MTOK_IN_USD + self.tokens_out * PER_MTOK_OUT_USD) / 1e6


@dataclass(frozen=True, slots=True)
class Timed:
    """An episode on the virtual clock: when each request was answered, and its latency."""

    asks: Sequence[Asked]
    ends_s: Sequence[float]
    latencies_s: Sequence[float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One forecast of a rehearsal: whether its intervals were right, and its relative error."""

    share: float
    cost_held: bool
    time_held: bool
    cost_ratio: float
    time_ratio: float


def main() -> None:
    """Play the pool and the rehearsals, and print the table."""
    chosen = _options()
    console = Console()
    with TemporaryDirectory(prefix="calibration-") as folder:
        (Path(folder) / "house.yaml").write_text(HOUSE)
        sweep = Path(folder) / "sweep.yaml"
        sweep.write_text(SWEEP)
        pool = load_plan(str(sweep), [f"stages.0.seeds={chosen.scenes}"])
        played = dict(_played(pool.episodes))
        samples = sample_scenes(pool.episodes)
        outcomes = [
            outcome
            for number in range(chosen.rehearsals)
            for outcome in rehearsal(
                np.random.default_rng([chosen.seed, number]), str(sweep), played, samples, chosen
            )
        ]
    console.print(table_of(outcomes, chosen.rehearsals))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rehearsals", type=int, default=300)
    parser.add_argument(
        "--scenes", type=int, default=16, help="scenes of the pool, in each condition"
    )
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _played(specs: Sequence[EpisodeSpec]) -> Iterator[tuple[tuple[str, str, int], list[Asked]]]:
    """Return (agent, condition, scene) → the requests of its episode."""
    with closing(Renderer()) as renderer:
        for spec in specs:
            for agent in AGENTS_AT_PLAY:
                asks = list(_asks(spec, agent, renderer))
                yield (agent, spec.cell.condition, spec.scene_seed), asks


def _asks(spec: EpisodeSpec, agent: str, renderer: Renderer) -> Iterator[Asked]:
    with closing(FAMILIES[spec.cell.family].play(spec, spec.rng())) as play:
        reached = advance(play)
        while isinstance(reached, Ask):
            frames = [(renderer.draw(view), view.encoding) for view in reached.views]
            images = [encode(frame.rgb, encoding) for frame, encoding in frames]
            pixels = [image.data for image in images]
            prompt = prompt_for(agent, reached.system, reached.user, pixels, reached.truth)
            text = AGENTS[agent](prompt)
            yield Asked(len(reached.system) + len(reached.user), len(text), len(images))
            facts = frames[0][0].facts if frames else {}
            turn = Turn(Observation(tuple(images), None, facts), Reply(text))
            reached = advance(play, turn)


def rehearsal(
    rng: np.random.Generator,
    sweep: str,
    played: Mapping[tuple[str, str, int], list[Asked]],
    samples: Samples,
    chosen: argparse.Namespace,
) -> list[Outcome]:
    """Return the forecasts of one rehearsal, at each of `ENDED_SHARES`."""
    agent = str(rng.choice(AGENTS_AT_PLAY))
    n_scenes = int(rng.integers(chosen.scenes // 2, chosen.scenes + 1))
    scenes = sorted(int(one) for one in rng.choice(chosen.scenes, n_scenes, replace=False))
    plan = load_plan(sweep, [f"stages.0.seeds={scenes}"])
    mean_s, sigma = float(rng.uniform(1.0, 20.0)), float(rng.uniform(0.1, 0.8))
    timed = _on_the_clock(rng, plan, played, agent, (mean_s, sigma))
    ends_s = sorted(one.ends_s[-1] for one in timed.values())
    return [_forecast(plan, timed, samples, share, ends_s) for share in ENDED_SHARES]


def _on_the_clock(
    rng: np.random.Generator,
    plan: Plan,
    played: Mapping[tuple[str, str, int], list[Asked]],
    agent: str,
    latency: tuple[float, float],
) -> dict[str, Timed]:
    """Return episode id → its timed requests, with a limited number of episodes at once."""
    mean_s, sigma = latency
    timed: dict[str, Timed] = {}
    free_s = [0.0] * AT_ONCE
    for spec in plan.episodes:
        asks = played[agent, spec.cell.condition, spec.scene_seed]
        latencies_s = rng.lognormal(np.log(mean_s), sigma, len(asks))
        ends_s = heappop(free_s) + np.cumsum(latencies_s)
        heappush(free_s, float(ends_s[-1]))
        timed[spec.episode_id] = Timed(asks, ends_s.tolist(), latencies_s.tolist())
    return timed


def _forecast(
    plan: Plan, timed: Mapping[str, Timed], samples: Samples, share: float, ends_s: Sequence[float]
) -> Outcome:
    now_s = ends_s[ceil(share * len(ends_s)) - 1]
    cells = estimate(plan, samples, _usage(timed, now_s))
    cost, _ = known_bills_usd([one.whole for one in cells])
    time = timetable(plan, cells, samples, simulators=64).whole.time_s
    true_usd = sum(ask.cost_usd for one in timed.values() for ask in one.asks)
    left_s = ends_s[-1] - now_s
    return Outcome(
        share,
        cost.holds(true_usd),
        time.holds(left_s),
        cost.expected / true_usd,
        time.expected / left_s,
    )


def _usage(timed: Mapping[str, Timed], now_s: float) -> Usage:
    """Return what is on record at that time."""
    episodes, asks = {}, []
    for episode_id, one in timed.items():
        n_done = sum(end_s <= now_s for end_s in one.ends_s)
        if not n_done:
            continue
        done = one.asks[:n_done]
        episodes[episode_id] = EpisodeUsage(
            n_done,
            n_done == len(one.asks),
            sum(ask.tokens_in for ask in done),
            sum(ask.tokens_out for ask in done),
            sum(ask.cost_usd for ask in done),
        )
        asks += [
            AskUsage(
                episode_id,
                ask.prompt_chars,
                ask.tokens_in,
                TOKENS_PER_IMAGE * ask.pictures,
                latency_s,
            )
            for ask, latency_s in zip(done, one.latencies_s, strict=False)
        ]
    return Usage(episodes, tuple(asks))


def table_of(outcomes: Sequence[Outcome], rehearsals: int) -> Table:
    """Return a table with one row per share of ended episodes."""
    table = Table("ended", title=f"{rehearsals} rehearsals: intervals that contain the true value")
    for title in ("cost", "time", "expected cost / true", "expected time / true"):
        table.add_column(title, justify="right")
    for share in ENDED_SHARES:
        mine = [one for one in outcomes if one.share == share]
        table.add_row(
            f"{share:.0%}",
            f"{np.mean([one.cost_held for one in mine]):.1%}",
            f"{np.mean([one.time_held for one in mine]):.1%}",
            _quartiles([one.cost_ratio for one in mine]),
            _quartiles([one.time_ratio for one in mine]),
        )
    return table


def _quartiles(ratios: Sequence[float]) -> str:
    low, middle, high = np.quantile(ratios, [0.25, 0.5, 0.75])
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


if __name__ == "__main__":
    main()
