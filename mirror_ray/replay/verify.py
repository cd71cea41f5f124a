"""`verify` draws a run's frames again and compares them with the record.

Pixels are a function of the episode, the renderer and the machine. The original pixels are not
kept, only their hash and the counts taken from them. Frames with another hash are therefore
compared by their counts: within a tolerance the scene is the same.

An upright edge, seen straight on, may run through the centres of a whole column of pixels, which
renderers assign to either side: this happened on a GPU in one of 31 settings, for 488 of 18,056
pixels of glass. A count may therefore differ by a share of itself, too."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from typing import Any, Literal

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.identity import EpisodeSpec, content_hash
from mirror_ray.core.types import FrameRenderer
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.rollout import observe
from mirror_ray.records.environment import cpu_model, versions
from mirror_ray.records.shards.reader import entries_of, sealed_batches
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.replay.episode import encoded_pictures
from mirror_ray.replay.playback import HistoryMismatchError, play_back

Verdict = Literal[
    "same frames", "different renderer", "different pixels", "different scene", "different episode"
]
"""From best to worst. "Different pixels": another hash on the same machine and renderer. "Different
episode": this program sends other prompts than were recorded."""

TOLERANCE_PX = 30
TOLERANCE_SHARE = 0.05
"""The allowed difference of another renderer's count of the same scene: the larger of the two."""

_GL = ("backend", "vendor", "renderer", "version")
_DRAWN_BY = ("mirror-ray", "mujoco", "numpy")
"""Packages whose version may change a frame."""


@dataclass(frozen=True, slots=True)
class FrameCheck:
    """A request whose frame has another hash.

    Args:
        gap_px: the largest difference of a count; infinite if none can be compared.
        large_gap_px: the largest difference of more than `TOLERANCE_SHARE` of its count; 0 if there
            is none.
    """

    ask: int
    gap_px: float
    large_gap_px: float

    def is_beyond(self, tolerance_px: int | None) -> bool:
        """Return whether the frame shows another scene, because one of its counts differs by more
        than the tolerance in pixels. None means `TOLERANCE_PX`, or `TOLERANCE_SHARE` of the
        count."""
        if tolerance_px is None:
            return self.large_gap_px > TOLERANCE_PX
        return self.gap_px > tolerance_px


@dataclass(frozen=True, slots=True)
class EpisodeCheck:
    """An episode drawn again: how many requests' frames were compared, those with another hash, and
    where this program departs from the record, if it does."""

    episode_id: str
    frames: int
    others: tuple[FrameCheck, ...]
    departure: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A property on which frames may depend and that differs here; None if unknown."""

    what: str
    recorded: str | None
    here: str | None


def sample(
    out: str, specs: Mapping[str, EpisodeSpec], *, episodes: int | None, seed: int
) -> list[str]:
    """Return ids of finished episodes, alternating between conditions, in an order seeded by
    `seed`; at most `episodes` of them, or all if None. Raise RunDirError if a shard is damaged."""
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
    out: str,
    specs: Mapping[str, EpisodeSpec],
    chosen: Sequence[str],
    renderer: FrameRenderer,
    *,
    asks: Mapping[str, Container[int]] | None = None,
) -> Iterator[EpisodeCheck]:
    """Draw the chosen episodes again, in the order of their shards: all requests, or those of
    `asks`. Raise RunDirError if a shard is damaged, RenderError if a view cannot be drawn."""
    for batch in sealed_batches(out, set(chosen), schemas=row_schemas()):
        family = FAMILIES[batch.family]
        for row, steps in batch.each():
            frames, others, departure = 0, [], None
            entries = entries_of(steps, family.fact_columns)
            drawn = None if asks is None else asks[row["episode_id"]]
            try:
                for played in play_back(family, specs[row["episode_id"]], entries):
                    is_drawn = drawn is None or played.entry.ask_index in drawn
                    if not (played.ask.views and is_drawn):
                        continue
                    frames += 1
                    seen = observe(encoded_pictures(played.ask.views, renderer))
                    if seen.frame_sha != played.entry.frame_sha:
                        facts = played.entry.facts, seen.facts
                        gaps_px = gap_px(*facts), gap_px(*facts, share=TOLERANCE_SHARE)
                        others.append(FrameCheck(played.entry.ask_index, *gaps_px))
            except HistoryMismatchError as reason:
                departure = f"{reason.kind}: {reason}"
            yield EpisodeCheck(row["episode_id"], frames, tuple(others), departure)


def verdict_of(
    checked: Sequence[EpisodeCheck], differences: Sequence[Difference], *, tolerance_px: int | None
) -> Verdict:
    """Return the verdict on all checks, which is that of the worst. `tolerance_px` is as for
    `FrameCheck.is_beyond`."""
    if any(check.departure for check in checked):
        return "different episode"
    others = [frame for check in checked for frame in check.others]
    if not others:
        return "same frames"
    if any(frame.is_beyond(tolerance_px) for frame in others):
        return "different scene"
    return "different renderer" if differences else "different pixels"


def differences(manifest: Mapping[str, Any], gl: Mapping[str, str]) -> tuple[Difference, ...]:
    """Return properties that frames may depend on, where this machine and the manifest differ.

    Args:
        manifest: of the run; each continuation may have been on another machine.
        gl: the renderer here, as the fields of `mirror_ray.world.opengl.context.GlInfo`.
    """
    here = _environment({"versions": versions(), "cpu": cpu_model(), "gl": gl})
    found: dict[Difference, None] = {}
    for run in manifest["runs"]:
        # These hosts rendered the frames; the driver's host need not be one of them.
        for host in (run.get("hosts") or {"": {}}).values():
            recorded = _environment({**run, **host})
            for what, value in here.items():
                if recorded[what] != value:
                    found.setdefault(Difference(what, recorded[what], value))
    return tuple(found)


def gap_px(recorded: Any, drawn: Any, *, share: float = 0.0) -> float:
    """Return the largest difference between counts of the same name; infinite if they do not match.

    Args:
        recorded, drawn: numbers, texts, or nested ones; only recorded names are compared.
        share: differences of up to this share of the recorded count are ignored.
    """
    if isinstance(recorded, Mapping) and isinstance(drawn, Mapping):
        pairs = ((value, drawn.get(name)) for name, value in recorded.items())
        return max((gap_px(*pair, share=share) for pair in pairs), default=inf)
    if isinstance(recorded, list) and isinstance(drawn, list) and len(recorded) == len(drawn):
        both = zip(recorded, drawn, strict=True)
        return max((gap_px(*pair, share=share) for pair in both), default=0.0)
    if isinstance(recorded, int | float) and isinstance(drawn, int | float):
        gap = abs(recorded - drawn)
        return 0.0 if gap <= share * abs(recorded) else float(gap)
    return 0.0 if recorded == drawn else inf


def _environment(run: Mapping[str, Any]) -> dict[str, str | None]:
    gl, known = run.get("gl"), run.get("versions")
    return {
        "processor": _text(run, "cpu"),
        **{f"OpenGL {name}": _text(gl, name) for name in _GL},
        **{package: _text(known, package) for package in _DRAWN_BY},
    }


def _text(about: object, name: str) -> str | None:
    found = about.get(name) if isinstance(about, Mapping) else None
    return one_printable_line(found) if isinstance(found, str) else None
