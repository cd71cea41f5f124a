"""A run of selfid whose steps are drawn at random, and what is recomputed of each episode."""

from pathlib import Path
from typing import Any

import numpy as np

from mirror_ray.analysis.bootstrap import bootstrap_run
from support.analysis.synthetic_runs import Moment, Played, write_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import groups

COLORS = ("red", "green", "blue", "yellow")
METRICS = ("tsa", "ttd", "mcr", "mtato", "caal", "cr", "tsa_c", "mgd", "arsc", "sc")
MAX_STEPS = 12
EVIDENCE_PX = 50
DRAWS = 10_000
FAILURES = (
    "never_finished", "never_looked", "knew", "guessed", "not_extracted",
    "no_mirror_guessed", "no_mirror_knew", "no_mirror_nothing",
)  # fmt: skip
Rows = list[dict[str, Any]]


def _played(rng: np.random.Generator, condition: str, model: str, seed: int) -> Played:
    """An episode that states, looks and chooses at random, and right more often than not."""
    truth = str(rng.choice(COLORS[:3]))
    n_steps = int(rng.integers(3, MAX_STEPS + 1))
    is_done = rng.random() < 0.8
    moments = []
    for step in range(1, n_steps + 1):
        is_last = is_done and step == n_steps
        is_said = rng.random() < (0.8 if step == n_steps else 0.3)
        says = str(rng.choice([truth, truth, *COLORS])) if is_said else "unknown"
        sees = 0 if condition == "E2" else int(rng.choice([0] * 6 + [49, 50, 200]))
        cube = str(rng.choice([truth, *COLORS[:3]])) if is_last else "none"
        cube = "none" if seed % 10 == 9 else cube
        place_m = (7 * seed + 3 * step) % 13 / 2
        moments.append(Moment("done" if is_last else "w", says, sees, cube, x_m=place_m))
    lie = COLORS[(COLORS.index(truth) + 1) % 3] if condition == "E3" else None
    return Played(
        tuple(moments),
        condition,
        model,
        scene_seed=seed,
        truth=truth,
        cubes=() if condition == "E5" else COLORS[:3],
        error_kind="server" if rng.random() < 0.1 else "none",
        max_steps=MAX_STEPS,
        says_otherwise={"wrong_color": lie},
    )


def drawn_selfid(folder: Path) -> RecordedRun:
    """Record the drawn episodes with their stored intervals, and open the run."""
    rng = np.random.default_rng(40)
    played = [
        _played(rng, condition, f"lab/{model}", seed)
        for condition in ("E1", "E2", "E3", "E4", "E5")
        for model in "ab"
        for seed in range(60)
    ]
    directory = write_run(folder, played)
    bootstrap_run(directory, draws=DRAWS)
    return RecordedRun.opened(directory)


def scored_selfid(run: RecordedRun) -> Rows:
    """Return the episodes, each with its scores and where it went wrong."""
    steps = groups(run.raw("steps"), "episode_id")
    return [
        {**episode, **_scores(episode, sorted(steps[key], key=lambda step: step["step"]))}
        for episode in run.raw("episodes")
        for key in [(episode["episode_id"],)]
    ]


def _scores(episode: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
    """The paper's definitions, in its terms: t_done, T, lim, v_t and committed identifications."""
    scored: dict[str, Any] = dict.fromkeys((*METRICS, "sc_final"))
    scored["cluster"] = f"{episode['scene_seed']}.{episode['run']}"
    if episode["error_kind"] != "none":
        return scored
    truth, open_ended = episode["ego_color"], not episode["cube_colors"]
    t_done = next((step["step"] for step in steps if step["action"] == "done"), None)
    end = t_done or len(steps)
    lim = t_done or len(steps) + 1
    seen = [step["step"] for step in steps if step["ego_reflection_px"] >= EVIDENCE_PX]
    said = {step["step"]: step["identification"] for step in steps}
    committed = [t for t, color in said.items() if color != "unknown" and t < lim]
    chosen = None
    if t_done:
        last = steps[t_done - 1]
        chosen = last["identification"] if open_ended else last["selected_cube"]
    looked = any(t < lim for t in seen)
    scored["flags"] = _process(episode, steps[:end], seen, chosen, done=t_done is not None)
    first_seen, first_said = min(seen, default=None), min(committed, default=None)
    early = first_said is not None and first_seen is not None and first_said < first_seen
    misled = early and said[first_said] != truth
    scored |= {
        "tsa": int(chosen == truth),
        "ttd": end,
        "mcr": int(looked),
        "mtato": int(looked) if chosen == truth else None,
        "caal": int(any(said[t] == truth for t in said if t < lim)),
        "cr": int(first_said is not None and (not looked or early)),
        "tsa_c": int(chosen == truth) if t_done else None,
        "mgd": sum(t <= end for t in seen),
        "arsc": int(misled),
    }
    if misled:
        assert first_seen is not None
        scored["sc"] = int(any(said[t] == truth for t in range(first_seen, end + 1)))
        scored["sc_final"] = int(said[end] == truth)
    return scored


def _process(
    episode: dict[str, Any], steps: list[Any], seen: list[int], chosen: str | None, *, done: bool
) -> dict[str, bool | None]:
    """Where an episode goes wrong, as docs/analysis.md words it."""
    truth, mirror = episode["ego_color"], episode["condition"] != "E2"
    answer = None if chosen in (None, "none", "unknown") else chosen
    right, end = answer == truth, len(steps)
    said = [(row["step"], row["identification"]) for row in steps]
    said = [(t, color) for t, color in said if color != "unknown"]
    colors = [color for _, color in said]
    first_seen = min((t for t in seen if t <= end), default=None)
    after = [] if first_seen is None else [one for one in said if one[0] >= first_seen]
    named_right = [t for t, color in after if color == truth]
    walked = None
    if episode["cube_colors"]:
        own_m = 2.0 * episode["cube_colors"].index(truth)
        away = [abs(row["x_m"] - own_m) for row in steps]
        walked = away[-1] <= 1 or bool(named_right and away[-1] < away[named_right[0] - 1])
    saw = any(t < end or not done for t in seen if t <= end)
    stages = (saw, bool(after), bool(named_right), walked is not False, right)
    depth = next((at for at, passed in enumerate(stages) if not passed), len(stages))
    final = steps[-1]["identification"]
    if right:
        failure = "none"
    elif not done:
        failure = "never_finished"
    elif mirror and not saw:
        failure = "never_looked"
    elif final == truth:
        failure = "knew" if mirror else "no_mirror_knew"
    elif not mirror:
        failure = "no_mirror_guessed" if answer else "no_mirror_nothing"
    elif first_seen and answer in colors and said[colors.index(answer)][0] < first_seen:
        failure = "guessed"
    else:
        failure = "not_extracted"
    flags: dict[str, bool | None] = {f"failure_{name}": failure == name for name in FAILURES}
    for at, name in enumerate(("saw", "named", "named_right", "walked", "chose_right"), start=1):
        flags[f"funnel_{name}"] = depth >= at if mirror else None
    lie = episode["wrong_color"]
    followed = "lie" if answer == lie else "mirror" if answer == truth else "neither"
    for name in ("lie", "mirror", "neither"):
        flags[f"conflict_{name}"] = followed == name if lie else None
    repeats = next((n for n, color in enumerate(colors[::-1]) if color != colors[-1]), len(colors))
    flags["changed"] = repeats < len(colors) if colors else None
    for name, least, most in (("once", 1, 1), ("2_to_4", 2, 4), ("5_up", 5, MAX_STEPS)):
        flags[f"right_if_{name}"] = colors[-1] == truth if least <= repeats <= most else None
    return flags
