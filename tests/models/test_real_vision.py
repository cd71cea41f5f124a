"""A real vision-language model with random weights plays: every picture arrives as it was drawn."""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import pytest
from real_engine import READY_WITHIN_S
from real_runs import Played, a_port, played, written

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main

pytestmark = [pytest.mark.models, pytest.mark.timeout(1800), pytest.mark.usefixtures("ray_session")]

PYTHON = Path(
    os.environ.get("MIRROR_RAY_VISION", Path(__file__).parents[2] / ".models" / "vision"),
    "bin",
    "python",
)
"""Of an environment with vision_requirements.txt."""
PROGRAM = Path(__file__).parent / "tiny_vision.py"
MODELS = """
models:
  tiny: {target: hosted_vllm/tiny, base_url: "<tiny>", concurrency: 4, max_tokens: 64}
"""
SWEEP = """
models: [tiny]
stages:
  - {family: selfid, conditions: [E1], seeds: 3, runs: 1, max_steps: 3, temperature: [0.7],
    structured: [none, json, schema]}
  - {family: flipset, conditions: [L1, L2, ToM, MR], seeds: 3, temperature: [0.7]}
"""
FORMS = {"None", "json_object", "json_schema"}
N_EPISODES = 3 * len(FORMS) + 4 * 3


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    if not PYTHON.is_file():
        pytest.skip(f"no torch at {PYTHON}: make test-models installs it")
    port, log = a_port(), tmp_path_factory.mktemp("vision") / "log"
    with log.open("wb") as output:
        server = subprocess.Popen([PYTHON, PROGRAM, str(port)], stdout=output, stderr=output)
    try:
        until = monotonic() + READY_WITHIN_S
        while True:
            try:
                seen(port)
                break
            except OSError:
                if server.poll() is not None or monotonic() > until:
                    raise AssertionError(log.read_text()[-2000:]) from None
                sleep(0.5)
        yield port
    finally:
        server.kill()
        server.wait()


def seen(port: int) -> dict[str, Any]:
    with urlopen(f"http://127.0.0.1:{port}/seen", timeout=60) as reply:
        return dict(json.loads(reply.read()))


@pytest.fixture(scope="module")
def run(port: int, tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("run")
    return played(
        written(folder, SWEEP, MODELS.replace("<tiny>", f"http://127.0.0.1:{port}/v1"), {}), {}
    )


def test_no_episode_is_lost(run: Played) -> None:
    assert run.summary.exit_code == 0, run.said
    assert run.summary.episodes_done == run.summary.episodes_planned == N_EPISODES
    assert len({row["episode_id"] for row in run.steps}) == N_EPISODES


def test_the_server_sees_each_picture_as_it_was_drawn(run: Played, port: int) -> None:
    drawn = Counter(row["frame_sha"] for row in run.steps for _ in range(row["attempts"]))
    assert None not in drawn
    assert Counter(seen(port)["pictures"]) == drawn


def test_the_server_is_asked_for_each_form(run: Played, port: int) -> None:
    assert seen(port)["forms"].keys() == FORMS


def test_the_replayer_draws_the_same_pictures(
    run: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(run.out)]) == 0, capsys.readouterr().out
    assert "same frames" in capsys.readouterr().out


def test_calls_and_tokens_are_those_that_the_server_counts(run: Played, port: int) -> None:
    counted = seen(port)
    assert counted["calls"] == sum(row["attempts"] for row in run.steps)
    for name in ("tokens_in", "tokens_out"):
        assert counted[name] == sum(row[name] for row in run.steps)


def test_garbage_is_unread_and_never_right(run: Played) -> None:
    assert {row["finish_reason"] for row in run.steps} == {"stop", "length"}
    unread = [row for row in run.steps if row["parse_status"] == "failed"]
    # A lone letter may happen to be the name of an action.
    assert len(unread) >= 0.8 * len(run.steps)
    assert {row["parse_status"] for row in run.steps} <= {"failed", "repaired"}
    with open_run(str(run.out)) as connection:
        for family, right in (("selfid", "tsa"), ("flipset", "accuracy")):
            measured = connection.execute(
                f"select n, estimate from metric.{family} where metric = ?",  # noqa: S608
                [right],
            ).fetchall()
            assert measured
            # None where no reply was read.
            assert {estimate for _, estimate in measured} <= {0.0, None}
            read = connection.table(f"metric.{family}_read").select("n_replies", "n_read")
            n_replies, n_read = map(sum, zip(*read.fetchall(), strict=True))
            rows = [r for r in run.steps if r["family"] == family and not r["superseded"]]
            assert (n_replies, n_read) == (len(rows), len([r for r in rows if r not in unread]))
