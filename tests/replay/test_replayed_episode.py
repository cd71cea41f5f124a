"""Films: every ask is on them, what models wrote is pixels only, and files are whole or absent."""

import json
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image

from mirror_ray.cli import main
from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.core.errors import SweepError
from mirror_ray.core.types import Reply
from mirror_ray.families.selfid import play, prompts
from mirror_ray.replay.episode import DrawnStep, RecordedEpisode, find_episode
from mirror_ray.replay.film.files import FRAMES_PER_S, LAST_PAGE_S, PAGE_S
from mirror_ray.replay.film.page import WIDTH_PX, Pages
from mirror_ray.replay.film.strip import MAX_TILES, Strip
from mirror_ray.sweep.plan import Plan
from support.recorded_run import plan_for, record_run

STEPS = 4
FOREIGN = "../../etc/passwd\x1b[31m 鏡の中 🤖 \ud83d " + "W" * 5_000


def decided(action: str, **changes: str) -> str:
    keys = {
        "view-description": "a mirror",
        "reasoning": FOREIGN,
        "action": action,
        "summary": "",
        "selected_cube": "none",
        "identification": "red",
    }
    return json.dumps(keys | changes)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """E4 and E5, walking; the last reply of E5 never comes."""

    def says(request) -> Reply:
        if "distractor" in request.system and request.ask_index == STEPS:
            return Reply("", error_kind="auth", error="no key")
        return Reply(decided("aw"[request.ask_index % 2]))

    out = tmp_path_factory.mktemp("run") / "out"
    plan = plan_for(out, conditions=("E4", "E5"), runs=1, max_steps=STEPS)
    record_run(plan, says)
    return plan


def episode(plan: Plan, condition: str) -> str:
    return next(spec.episode_id for spec in plan.episodes if spec.cell.condition == condition)


@pytest.fixture(scope="module")
def films(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The formats of the whole episode, by the id's beginning."""
    folder = tmp_path_factory.mktemp("films")
    episode_id = episode(plan, "E4")
    arguments = [plan.sweep.out, episode_id[:8], "--format", "gif,mp4,png", "--out", str(folder)]
    assert main(["replay", *arguments]) == 0
    assert {path.name for path in folder.iterdir()} == {
        f"{episode_id}.{kind}" for kind in ("gif", "mp4", "png")
    }
    return {path.suffix[1:]: path for path in folder.iterdir()}


def test_gif_has_a_page_for_each_ask(films):
    with Image.open(films["gif"]) as film:
        assert (film.n_frames, film.width) == (STEPS, WIDTH_PX)
        durations = []
        for index in range(STEPS):
            film.seek(index)
            durations.append(film.info["duration"])
    assert durations == [1000 * PAGE_S] * (STEPS - 1) + [1000 * LAST_PAGE_S]


def test_mp4_read_back_has_the_pages_for_their_time(films):
    import av

    with av.open(str(films["mp4"])) as film:
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    expected = [round(FRAMES_PER_S * PAGE_S)] * (STEPS - 1) + [round(FRAMES_PER_S * LAST_PAGE_S)]
    assert len(frames) == sum(expected)
    with Image.open(films["gif"]) as gif:
        for index, start in enumerate(np.cumsum([0, *expected[:-1]])):
            gif.seek(index)
            page = np.asarray(gif.convert("RGB")).astype(int)
            # Both are lossy, each in its own way; another page would differ by far more.
            assert np.abs(frames[start].astype(int) - page).mean() < 4


def test_strip_has_a_tile_for_each_step(films):
    with Image.open(films["png"]) as strip:
        assert strip.width > STEPS * 400
        pixels = np.asarray(strip.convert("RGB").resize((64, 64))).reshape(-1, 3)
        assert len(np.unique(pixels, axis=0)) > 50


def test_failed_episode_is_shown_as_far_as_it_goes(plan, tmp_path, capsys):
    arguments = [plan.sweep.out, episode(plan, "E5"), "--out", str(tmp_path), "--json"]
    assert main(["replay", *arguments, "--format", "gif"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["shots"], found["departure"]) == (STEPS, None)


def test_film_ends_where_the_program_departs_from_the_record(plan, tmp_path, capsys, monkeypatch):
    other = Texts({**prompts.TEXTS.by_key, "english.warning": "Mind {obstacle}."})
    monkeypatch.setattr(play, "texts_of", lambda _: other)
    monkeypatch.setattr(prompts, "HISTORY_REASONING_CHARS", 3)
    arguments = [plan.sweep.out, episode(plan, "E4"), "--out", str(tmp_path), "--json"]
    assert main(["replay", *arguments, "--format", "gif"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["shots"], found["departure"]) == (1, "ask 2: other words are asked than were")
    with Image.open(found["paths"][0]) as film:
        assert film.n_frames == 1


def test_nothing_is_left_where_nothing_can_be_shown(plan, tmp_path, capsys, monkeypatch):
    other = Texts({**prompts.TEXTS.by_key, "english.task": "Task: look around."})
    monkeypatch.setattr(play, "texts_of", lambda _: other)
    arguments = [plan.sweep.out, episode(plan, "E4"), "--out", str(tmp_path)]
    assert main(["replay", *arguments, "--format", "gif,mp4,png"]) == 1
    assert list(tmp_path.iterdir()) == []
    assert "other words" in capsys.readouterr().out


def test_default_folder_is_the_runs_own(plan):
    assert main(["replay", plan.sweep.out, episode(plan, "E4"), "--format", "png"]) == 0
    assert (Path(plan.sweep.out) / "replay" / f"{episode(plan, 'E4')}.png").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--format", "gif,avi"], "gif, mp4, png"),
        (["--format", ""], "gif, mp4, png"),
        (["--out", "/proc/nowhere"], "--out"),
    ],
)
def test_bad_options_are_named(plan, capsys, arguments, complaint):
    assert main(["replay", plan.sweep.out, episode(plan, "E4"), *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_mp4_without_its_extra_names_it(plan, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    assert main(["replay", plan.sweep.out, episode(plan, "E4"), "--format", "mp4"]) == 2
    assert "mirror-ray[replay]" in capsys.readouterr().err


def test_unknown_and_ambiguous_ids_are_named(plan):
    out, specs = plan.sweep.out, {spec.episode_id: spec for spec in plan.episodes}
    known = episode(plan, "E4")
    with pytest.raises(SweepError, match=f"did you mean {known}"):
        find_episode(out, specs, known[:-1] + "x")
    with pytest.raises(SweepError, match="first 4 letters"):
        find_episode(out, specs, known[:3])
    twins = {known: specs[known], known[:8] + "00000000": specs[known]}
    with pytest.raises(SweepError, match="begins 2 ids"):
        find_episode(out, twins, known[:8])
    with pytest.raises(SweepError, match="has not ended yet"):
        find_episode(out, {"0123456789abcdef": specs[known]}, "0123")


def test_text_alone_makes_a_page_and_a_tile(plan):
    """A family that shows no picture and has no words of its own."""
    specs = {spec.episode_id: spec for spec in plan.episodes}
    recording = find_episode(plan.sweep.out, specs, episode(plan, "E4"))
    bare = replace(
        recording, family=replace(recording.family, step_columns=pa.schema([]), fact_columns=())
    )
    drawn_step = DrawnStep(bare.steps[0], (), (), False, ())
    assert Pages(bare).page(drawn_step).size[0] == WIDTH_PX
    strip = Strip(bare)
    strip.add(drawn_step)
    assert strip.picture().height > 100


def test_long_episode_is_shown_in_steps_evenly_apart(plan):
    specs = {spec.episode_id: spec for spec in plan.episodes}
    recording = find_episode(plan.sweep.out, specs, episode(plan, "E4"))
    rows = tuple({**recording.steps[0], "ask": ask, "step": ask} for ask in range(1, 301))
    long = RecordedEpisode(recording.family, recording.spec, recording.episode, rows)
    strip = Strip(long)
    chosen = sorted(strip._chosen)
    assert len(chosen) == MAX_TILES
    assert (chosen[0], chosen[-1]) == (1, 300)
    assert {b - a for a, b in pairwise(chosen)} <= {5, 6}
