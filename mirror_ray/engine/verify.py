"""`verify`: draws a run's frames again and compares them with what was recorded.

Knows that pixels are a function of the episode, the renderer and the machine; the original pixels
are not kept, only their hash and what was counted in them. So frames with another hash are told
apart by their counts: within a tolerance another renderer drew the same scene, beyond it the scene
was another. Does not know what is counted, nor any family.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from typing import Any, Literal, Protocol

from mirror_ray.engine.recall import DepartureError, recall
from mirror_ray.engine.rollout import Picture, observe
from mirror_ray.identity import EpisodeSpec, content_hash
from mirror_ray.records.environment import cpu_model, versions
from mirror_ray.records.resume import finished_episodes
from mirror_ray.records.sealed import entries_of, sealed_batches
from mirror_ray.tasks import FAMILIES
from mirror_ray.types import FINAL_KINDS, Ask, Frame, View

Verdict = Literal[
    "same frames", "different renderer", "different pixels", "different scene", "different episode"
]
"""From best to worst. Different pixels: another hash, though machine and renderer are the same.
Different episode: today's program asks other words than were asked."""

_DRAWN_BY = ("mirror-ray", "mujoco", "numpy")
"""Packages whose version may change a frame."""


class Draws(Protocol):
    """A renderer."""

    def draw(self, view: View) -> Frame:
        """Draws a view; RenderError when it cannot."""
        ...


@dataclass(frozen=True, slots=True)
class FrameCheck:
    """An ask whose frame has another hash.

    Args:
        gap_px: the largest difference of a count; infinite where none can be compared.
    """

    ask: int
    gap_px: float


@dataclass(frozen=True, slots=True)
class EpisodeCheck:
    """An episode drawn again.

    Args:
        frames: asks whose pictures were compared; `others`: those with another hash.
        departure: where today's program no longer plays what was recorded; None: nowhere.
    """

    episode_id: str
    frames: int
    others: tuple[FrameCheck, ...]
    departure: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Something frames may depend on that is not here what it was; None where unknown."""

    what: str
    recorded: str | None
    here: str | None


def sample(
    out: str, specs: Mapping[str, EpisodeSpec], *, episodes: int | None, seed: int
) -> list[str]:
    """Ids of finished episodes, conditions in turn, in an order that follows from `seed`.

    Args:
        episodes: how many at most; None: all.

    Raises:
        RunDirError: a shard is damaged.
    """
    by_condition: dict[tuple[str, str], list[str]] = {}
    for episode_id, (_, kind) in finished_episodes(out).items():
        if kind in FINAL_KINDS and episode_id in specs:
            cell = specs[episode_id].cell
            by_condition.setdefault((cell.family, cell.condition), []).append(episode_id)
    shuffled = [
        sorted(ids, key=lambda episode_id: content_hash(seed, episode_id))
        for _, ids in sorted(by_condition.items())
    ]
    in_turn = [one for turn in zip_longest(*shuffled) for one in turn if one is not None]
    return in_turn[:episodes]


def checks(
    out: str, specs: Mapping[str, EpisodeSpec], chosen: Sequence[str], renderer: Draws
) -> Iterator[EpisodeCheck]:
    """Draws the chosen episodes again, in the order of their shards.

    Raises:
        RunDirError: a shard is damaged.
        RenderError: a view cannot be drawn.
    """
    for batch in sealed_batches(out, set(chosen)):
        family = FAMILIES[batch.family]
        for row, asks in batch.each():
            frames, others, departure = 0, [], None
            entries = entries_of(asks, family.fact_columns)
            try:
                for recalled in recall(family, specs[row["episode_id"]], entries):
                    if not recalled.ask.views:
                        continue
                    frames += 1
                    seen = observe(_pictures(recalled.ask, renderer))
                    if seen.frame_sha != recalled.entry.frame_sha:
                        gap = gap_px(recalled.entry.facts, seen.facts)
                        others.append(FrameCheck(recalled.entry.ask_index, gap))
            except DepartureError as reason:
                departure = f"{reason.kind}: {reason}"
            yield EpisodeCheck(row["episode_id"], frames, tuple(others), departure)


def verdict_of(
    checked: Sequence[EpisodeCheck], differences: Sequence[Difference], *, tolerance_px: int
) -> Verdict:
    """What the checks come to, the worst of them deciding."""
    if any(check.departure for check in checked):
        return "different episode"
    gaps = [frame.gap_px for check in checked for frame in check.others]
    if not gaps:
        return "same frames"
    if max(gaps) > tolerance_px:
        return "different scene"
    return "different renderer" if differences else "different pixels"


def differences(manifest: Mapping[str, Any], gl: Mapping[str, str]) -> tuple[Difference, ...]:
    """What a frame may depend on, where the machine here is not what the manifest says.

    Args:
        manifest: of the run; each time it was continued may have been on another machine.
        gl: who draws here, by `mirror_ray.world.gl.GlInfo`'s fields.
    """
    here = _surroundings({"versions": versions(), "cpu": cpu_model(), "gl": gl})
    found: dict[Difference, None] = {}
    for run in manifest["runs"]:
        # The frames were drawn on these hosts, of which the driver's own need not be one.
        for host in (run.get("hosts") or {"": {}}).values():
            recorded = _surroundings({**run, **host})
            for what, value in here.items():
                if recorded[what] != value:
                    found.setdefault(Difference(what, recorded[what], value))
    return tuple(found)


def gap_px(recorded: Any, drawn: Any) -> float:
    """The largest difference between counts of the same name; infinite where they do not match.

    Args:
        recorded, drawn: numbers, texts, or lists and mappings of such; what was not recorded by
            name is not compared.
    """
    if isinstance(recorded, Mapping) and isinstance(drawn, Mapping):
        return max(
            (gap_px(value, drawn.get(name)) for name, value in recorded.items()), default=inf
        )
    if isinstance(recorded, list) and isinstance(drawn, list) and len(recorded) == len(drawn):
        pairs = zip(recorded, drawn, strict=True)
        return max((gap_px(one, other) for one, other in pairs), default=0.0)
    if isinstance(recorded, int | float) and isinstance(drawn, int | float):
        return float(abs(recorded - drawn))
    return 0.0 if recorded == drawn else inf


def _pictures(ask: Ask, renderer: Draws) -> list[Picture]:
    # Imported late, as whoever only asks for help should not wait for it.
    from mirror_ray.world.encode import encode  # noqa: PLC0415

    frames = [(view, renderer.draw(view)) for view in ask.views]
    return [Picture(encode(frame.rgb, view.encoding), frame.facts) for view, frame in frames]


def _surroundings(run: Mapping[str, Any]) -> dict[str, str | None]:
    gl = run.get("gl") or {}
    known = run.get("versions") or {}
    return {
        "processor": run.get("cpu"),
        **{f"OpenGL {name}": gl.get(name) for name in ("backend", "vendor", "renderer", "version")},
        **{package: known.get(package) for package in _DRAWN_BY},
    }
