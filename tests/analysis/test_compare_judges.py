"""Two runs whose replies were read by judges: who they were, what they said and what they cost."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.cli import main
from mirror_ray.core.types import Reply, Request
from support.staged_run import agents_reply, play_stages, staged_plan

MODELS = ["scripted/calibrated", "scripted/overconfident"]
KNOWN = {
    **{"family": "metacog", "conditions": ["exp1"]},
    **{"seeds": 8, "channel": ["natural", "wagering"]},
}
GOOD, ERRING = "scripted/judge", "scripted/erring-judge"


def judged_run(out: Path, judge: str, second_usd: float | None = 0.25) -> str:
    """A judge says nothing of the first reply that it reads; what the second costs may not be
    known."""
    read: list[str] = []

    def says(request: Request) -> Reply:
        if request.model != judge:
            return agents_reply(request)
        read.append(request.episode_id)
        verdict = "none" if len(read) == 1 else "VERDICT: CORRECT"
        usd = second_usd if len(read) == 2 else 0.25
        return Reply(verdict, finish_reason="stop", cost_usd=usd, model_version=f"{judge} 7")

    reading = {"family": "metacog", "conditions": ["judge"], "judge": judge}
    play_stages(staged_plan(out, MODELS, KNOWN, reading), says)
    return str(out)


def differences(capsys: pytest.CaptureFixture[str], *runs: str) -> list[str]:
    assert main(["compare", *runs, "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return [line for line in told["differences"] if not line.startswith("program")]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> str:
    return judged_run(tmp_path_factory.mktemp("good") / "run", GOOD)


def test_other_judges_are_a_difference_with_their_money_and_versions(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    erring = judged_run(tmp_path / "erring", ERRING, second_usd=None)
    of_good, of_erring = differences(capsys, good, erring)
    n = 8
    assert of_good == (
        f"judge {GOOD}: {n} readings, 1 of them no verdict, ${n / 4:.2f}, called itself {GOOD} 7"
        " → nothing"
    )
    assert of_erring == (
        f"judge {ERRING}: nothing → {n} readings, 1 of them no verdict, at least"
        f" ${(n - 1) / 4:.2f}, called itself {ERRING} 7"
    )


def test_equal_judges_that_read_in_another_order_are_none(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It reads several replies of one scene, and was asked the same words about each."""
    again = judged_run(tmp_path / "again", GOOD)
    for path in Path(again, "steps").rglob("*.parquet"):
        rows = pq.read_table(path, partitioning=None)
        pq.write_table(rows.take(pa.array(range(rows.num_rows))[::-1]), path)
    assert differences(capsys, good, again) == []
