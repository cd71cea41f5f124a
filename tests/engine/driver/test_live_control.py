"""A run that is controlled while it plays: what is done, what is refused, what is on record."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import StringIO
from pathlib import Path
from time import sleep

import pytest
from rich.console import Console

from mirror_ray.core.errors import MirrorRayError, SweepError
from mirror_ray.engine.control.client import ask
from mirror_ray.engine.control.requests import request_of_words
from mirror_ray.engine.driver.live_control import LiveControl
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.providers.model import Limits
from mirror_ray.records.control_changes import MOST_CHANGES, ControlChange, budget_now, changes_in
from mirror_ray.records.lock import is_held
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.sweep.plan import EngineSettings
from support.plans import hosted, plan_of
from support.shard_rows import rows_of

pytestmark = [
    pytest.mark.usefixtures("ray_session"),
    pytest.mark.thorough("engine/limiter/test_live_settings.py and engine/control/"),
]

STEPS, EPISODES = 3, 4


def plan(out, server):
    model = replace(hosted(server, "blind"), limits=Limits("local/blind", rpm=60.0))
    one_by_one = EngineSettings(simulators=1, providers=1, in_flight=1)
    whole = plan_of(
        out,
        [model],
        conditions=("E1",),
        seeds=EPISODES,
        axes=(("max_steps", STEPS),),
        engine=one_by_one,
        budget_usd=1.0,
    )
    return replace(whole, sweep=replace(whole.sweep, budget_usd_max=2.0))


def played(the_plan):
    screen = StringIO()
    summary = play_plan(the_plan, console=Console(file=screen, width=200), plain=True)
    return summary, screen.getvalue()


def test_paused_retuned_and_stopped_from_outside_and_nothing_is_lost(tmp_path, loopback):
    out = tmp_path / "out"
    before = loopback.stats()["calls"]

    def ctl(*words):
        return ask(Path(out), request_of_words(words))

    with ThreadPoolExecutor(1) as beside:
        playing = beside.submit(played, plan(out, loopback))
        while not is_held(out / LOCK_NAME) and not playing.done():
            sleep(0.05)
        # At one call a second, 12 calls last longer than these requests.
        assert ctl("pause")["paused"] is True
        with pytest.raises(MirrorRayError, match="budget"):
            ctl("budget", "+5")
        with pytest.raises(MirrorRayError, match="did you mean 'local/blind'"):
            ctl("limits", "local/blnd", "rpm=5")
        assert ctl("budget", "+0.5")["budget_usd"] == 1.5
        assert ctl("limits", "local/blind", "rpm=600")["limits"]["local/blind"]["rpm"] == 600
        state = ctl("state")
        assert (state["paused"], state["stopping"]) == (True, False)
        assert ctl("stop")["stopping"] is True
        summary, said = playing.result()
    assert (summary.exit_code, summary.episodes_failed) == (130, 0)
    assert summary.episodes_unplayed > 0
    assert "limits of local/blind: rpm 60 → 600" in said

    manifest = read_manifest(str(out))
    assert [(one.command, one.setting, one.value) for one in changes_in(manifest)] == [
        ("pause", "", None),
        ("budget", "budget_usd", 1.5),
        ("limits", "rpm", 600.0),
        ("stop", "", None),
    ]
    assert budget_now(manifest, 1.0) == 1.5
    assert budget_now(manifest, 3.0) == 3.0

    summary, said = played(plan(out, loopback))
    assert (summary.episodes_done, summary.exit_code) == (EPISODES, 0)
    assert "Budget: $1.50" in said
    assert "rpm 600" in said
    # Each step was bought once.
    ended = [row for row in rows_of(out, "episodes") if row["error_kind"] == "none"]
    assert len(ended) == EPISODES
    assert loopback.stats()["calls"] - before == sum(row["n_steps"] for row in ended)


def test_a_run_of_many_changes_can_still_be_stopped():
    control = LiveControl.__new__(LiveControl)
    control._changes = [ControlChange("", "pause", by="me")] * MOST_CHANGES
    control._record([ControlChange("", "stop", by="me")])
    assert len(control._changes) == MOST_CHANGES
    with pytest.raises(SweepError, match="stop the run"):
        control._record([ControlChange("", "pause", by="me")])
