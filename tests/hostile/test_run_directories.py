"""Whatever a run directory holds, to read it harms nobody and ends as a command does.

No traceback, no file outside of it read into it or written, nothing that acts on a terminal; an
error says what was got, what is allowed and how to fix it. With `make test-whole` every directory
is read by every command, which takes minutes; else it is every 71st directory, and the commands
take turns: three of the quick ones and one of the slow ones read each directory. Directories of a
kind stand together, so that a part has some of each kind.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hostile.run_directories import directories
from mirror_ray.cli import main
from mirror_ray.core.types import Frame, Reply
from mirror_ray.world.opengl.context import GlInfo
from support.recorded_run import plan_for, record_run
from support.whole import IS_WHOLE, one_in

DIRECTORIES = directories()
READ = one_in(71, DIRECTORIES)
IN_TURNS = 3
"""Of the quick commands, all but `status`, one in so many reads a directory."""

CANARY = "what only its owner may read"


def says_done(_: object) -> Reply:
    decided = {
        "view-description": "a cube",
        "reasoning": "I see it.",
        "action": "done",
        "summary": "",
        "selected_cube": "red",
        "identification": "red",
    }
    return Reply(json.dumps(decided), tokens_in=9, tokens_out=9, cost_usd=0.1, latency_s=1.0)


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A small run, and an episode of it."""
    out = tmp_path_factory.mktemp("sound") / "run"
    plan = plan_for(out, runs=1)
    record_run(plan, says_done)
    return out, plan.episodes[0].episode_id


class Blank:
    """A renderer that paints nothing: what is drawn is no matter here."""

    gl = GlInfo("egl", "nobody", "nothing", "0")

    def draw(self, view):
        return Frame(np.zeros((view.height_px, view.width_px, 3), np.uint8), {})

    def identify(self, view):
        size = (view.height_px, view.width_px)
        return np.zeros(size, np.uint8), np.zeros(size, np.bool_)

    def close(self):
        pass


@pytest.fixture(autouse=True)
def drawn_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    from mirror_ray.analysis.report import drawing
    from mirror_ray.world import renderer

    monkeypatch.setattr(renderer, "Renderer", Blank)
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    monkeypatch.setattr(drawing.vl_convert, "vegalite_to_svg", lambda spec: svg)
    monkeypatch.setattr(drawing.vl_convert, "svg_to_png", lambda svg, scale: b"")
    monkeypatch.setattr(drawing.vl_convert, "svg_to_pdf", lambda svg: b"")


def commands(out: Path, sweep: Path, episode_id: str, to: Path, turn: int) -> Iterator[list[str]]:
    """Every command that reads a run directory."""
    quick = (
        ["status", str(out), "--json"],
        ["sql", str(out), "select * from episode.selfid"],
        ["view", str(out), "--static", str(to / "pages"), "--where", "true"],
        ["sql", str(out), "--json", "select * from shard.selfid_steps"],
        ["replay", str(out), episode_id, "--out", str(to / "film"), "--format", "png"],
        ["rescore", str(out), "--dry-run"],
        ["verify", str(out)],
        ["export", str(out), "--to", "huggingface", "--out", str(to / "dataset")],
        ["compare", str(sweep.parent / "run"), str(out), "--pairs", "--json"],
        ["sql", str(out), str(sweep.parent / "run"), "select * from episode.selfid"],
        ["audit", str(out)],
    )
    slow = (
        ["report", str(out), "--out", str(to / "report")],
        ["export", str(out), "--to", "inspect", "--out", str(to / "logs")],
        ["export", str(out), "--to", "rerun", "--out", str(to / "recordings")],
        ["export", str(out), "--to", "croissant", "--out", str(to / "croissant")],
        ["plan", str(sweep), "--out", str(out)],
    )
    yield ["status", str(out)]
    yield from quick if IS_WHOLE else quick[turn % IN_TURNS :: IN_TURNS]
    yield from slow if IS_WHOLE else slow[turn % len(slow) :][:1]


def contents(folder: Path) -> dict[str, object]:
    """All that lies in a folder; a pipe has no content."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else path.is_dir()
        for path in sorted(folder.rglob("*"))
    }


def harmless(text: str) -> bool:
    """Whether a terminal shows the text and does nothing else."""
    return all(c.isprintable() or c in "\n\t" for c in text)


@pytest.mark.parametrize("name", READ)
def test_reading_it_harms_nobody(
    name: str,
    sound: tuple[Path, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, episode_id = sound
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    out, outside, to = tmp_path / "run", tmp_path / "outside", tmp_path / "to"
    shutil.copytree(run, out)
    outside.mkdir()
    (outside / "canary").write_text(CANARY)
    DIRECTORIES[name](out, outside)
    before = contents(outside)
    turn = READ.index(name)
    for arguments in commands(out, run.parent / "run.yaml", episode_id, to, turn):
        code = main(arguments)
        printed = capsys.readouterr()
        # `status` of a run with episodes left is 5, without money for them 3.
        assert code in ((0, 1, 2, 3, 5) if arguments[0] == "status" else (0, 1, 2)), arguments
        assert harmless(printed.out), arguments
        assert harmless(printed.err), arguments
        if code == 2:
            parts = ("got:", "allowed:", "fix:")
            assert all(part in printed.err for part in parts), (arguments, printed.err)
            assert len(printed.err) < 20_000, arguments
        assert CANARY not in printed.out + printed.err, arguments
        assert contents(outside) == before, arguments
    assert {path.name for path in tmp_path.iterdir()} <= {"run", "outside", "to", "here"}
    assert not any((tmp_path / "here").iterdir())
    written = [path for path in to.rglob("*") if path.is_file()]
    assert not any(CANARY.encode() in path.read_bytes() for path in written)


def test_there_are_enough() -> None:
    assert len(DIRECTORIES) >= 240
