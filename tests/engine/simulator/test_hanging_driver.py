"""A graphics driver that hangs below Python ends its process, whoever holds Python's lock."""

import subprocess
import sys
from pathlib import Path

from mirror_ray.engine.simulator.actor import DRAW_LIMIT_S, EXIT_DELAY_S, EXIT_HUNG, LAST_RESORT_S
from mirror_ray.engine.simulator.render_thread import RENEWED_EVERY_S, WATCH_EVERY_S
from support.world.hanging_gl import hanging_gl

PROGRAM = Path(__file__).parents[2] / "support" / "world" / "drawing_in_a_hang.py"


def ended(environment, limit_s: float, last_resort_s: float) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), str(limit_s), str(last_resort_s)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_hang_in_read_back_is_noticed_and_told(tmp_path):
    # A picture is read back twice: its colours and its identities.
    done = ended(hanging_gl(tmp_path, "glReadPixels", at=3), 2.0, 100.0)
    assert done.returncode == EXIT_HUNG, done.stderr
    assert done.stdout.splitlines() == [
        "drawn",
        "a picture took longer than 2 s: the graphics driver hangs",
    ]


def test_a_hang_that_holds_the_interpreters_lock_ends_the_process(tmp_path):
    """No Python runs any more: the timer does without, and says where it hangs."""
    done = ended(hanging_gl(tmp_path, "glNewList"), 2.0, 4.0)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "canvas.py" in done.stderr


def test_what_draws_outlives_the_timer(tmp_path):
    done = ended(None, 20.0, 60.0)
    assert (done.returncode, done.stdout) == (0, "drawn\n" * 4), done.stderr


def test_a_process_is_replaced_within_a_minute():
    """What is left of it is for the new process to start."""
    noticed_s = DRAW_LIMIT_S + WATCH_EVERY_S + EXIT_DELAY_S
    assert noticed_s < LAST_RESORT_S - RENEWED_EVERY_S
    assert LAST_RESORT_S + RENEWED_EVERY_S <= 50.0
