"""`mirror-ray verify` renders a run's frames again and compares them with the record."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from math import isinf
from pathlib import Path

from rich.progress import track

from mirror_ray.cli.directories import say_differences
from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, count, new_table, print_json
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.storage import is_address
from mirror_ray.replay.verify import (
    TOLERANCE_PX,
    TOLERANCE_SHARE,
    Difference,
    EpisodeCheck,
    Verdict,
    checks,
    differences,
    sample,
    verdict_of,
)
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.viewer.frame_renderer import new_renderer

_MAX_SHOWN = 20
_MEANING: dict[Verdict, str] = {
    "same frames": "every frame is the recorded one, bit by bit.",
    "different renderer": "the same scenes, drawn by another renderer or on another machine.",
    "different pixels": "the same counts in other pixels, though renderer and machine are the"
    " same: the way frames are drawn has changed, or their hashes have.",
    "different scene": "frames show something else than was recorded.",
    "different episode": "today's program does not play what was recorded.",
}
AGREES: frozenset[Verdict] = frozenset({"same frames", "different renderer"})


def main(arguments: Namespace) -> int:
    """Print a verdict; return 1 if rendering differs from the record."""
    directory = arguments.directory
    for name in ("episodes", "tolerance_px", "frames", "replies"):
        if (getattr(arguments, name) or 0) < 0:
            option = f"--{name.replace('_', '-')}"
            raise SweepError(
                f"command line: {option}", str(getattr(arguments, name)), "0 or more", "drop it"
            )
    if Path(directory).is_file() or (is_address(directory) and directory.endswith(".json")):
        with needs_extra("seal", ["cryptography"]):
            from mirror_ray.cli.verify_seal import verify_seal  # noqa: PLC0415
        return verify_seal(arguments)
    manifest = read_manifest(directory)
    say_differences(directory, manifest)
    specs = recorded_episodes(directory, manifest)
    wanted = None if arguments.all else arguments.episodes
    chosen = sample(directory, specs, episodes=wanted, seed=arguments.seed or 0)
    with closing(new_renderer()) as renderer:
        elsewhere = differences(manifest, asdict(renderer.gl))
        drawn = checks(directory, specs, chosen, renderer)
        shown = Terminal(sys.stderr)
        progress = track(drawn, "drawing", total=len(chosen), console=shown, transient=True)
        checked = list(progress if shown.is_terminal else drawn)
    verdict = verdict_of(checked, elsewhere, tolerance_px=arguments.tolerance_px)
    if arguments.json:
        about = {"verdict": verdict, "meaning": _MEANING[verdict]}
        differing = [asdict(one) for one in elsewhere]
        print_json({**about, "differences": differing, "episodes": list(map(asdict, checked))})
    else:
        _show(verdict, checked, elsewhere, arguments.tolerance_px)
    return int(verdict not in AGREES)


def _show(
    verdict: Verdict,
    checked: Sequence[EpisodeCheck],
    elsewhere: Sequence[Difference],
    tolerance_px: int | None,
) -> None:
    if elsewhere:
        table = new_table("drawn by", "recorded", "here", left=3)
        for found in elsewhere:
            told = (found.what, found.recorded or MISSING, found.here or MISSING)
            table.add_row(*told)
        console.print(table)
    bad = [
        one
        for one in checked
        if one.departure or any(frame.is_beyond(tolerance_px) for frame in one.others)
    ]
    if bad:
        table = new_table("episode", "frames", "other", "gap px", "what", left=1)
        for one in bad[:_MAX_SHOWN]:
            what = one.departure or f"request {max(one.others, key=lambda frame: frame.gap_px).ask}"
            gap = f"{_gap_px(one):g}" if one.others else MISSING
            n_frames, n_others = count(one.frames), count(len(one.others))
            table.add_row(one.episode_id, n_frames, n_others, gap, what)
        console.print(table)
        if len(bad) > _MAX_SHOWN:
            console.print(f"and {len(bad) - _MAX_SHOWN:,} more")
    frames, others = sum(one.frames for one in checked), sum(len(one.others) for one in checked)
    console.print(
        f"{len(checked):,} episodes, {frames:,} frames drawn again: {frames - others:,} the same,"
        f" {others:,} with another hash" + (_gap_in_words(checked, tolerance_px) if others else "")
    )
    say(console, f"{verdict}: {_MEANING[verdict]}")


def _gap_in_words(checked: Sequence[EpisodeCheck], tolerance_px: int | None) -> str:
    gap_px = max(map(_gap_px, checked))
    if isinf(gap_px):
        return ", whose counts cannot be compared"
    either = f"{TOLERANCE_PX} px or {TOLERANCE_SHARE:.0%} of the count"
    tolerance = either if tolerance_px is None else f"{tolerance_px} px"
    return f", whose counts differ by {gap_px:g} px at most (tolerance {tolerance})"


def _gap_px(check: EpisodeCheck) -> float:
    return max((frame.gap_px for frame in check.others), default=0.0)
