"""Plug-ins that no sweep names: whatever is wrong with them, commands work and JSON stays JSON."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import as_plugin
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.whole import one_in

MODULES = {
    "exits": "raise SystemExit(7)",
    "interrupts": "raise KeyboardInterrupt",
    "recurses": "def f(): f()\nf()",
    "starves": "raise MemoryError('x')",
    "stops": "raise GeneratorExit",
    "syntax": "def",
    "prints": "import os\nprint('NOISE')\nos.write(1, b'NOISE')\nFAMILY = 1",
    "lazy": "class X:\n    def __getattr__(s, n): raise SystemExit(9)\nFAMILY = X()",
    "unprintable": ("class E(Exception):\n    def __str__(s): raise SystemExit(3)\nraise E()"),
    "closes": "import sys\nsys.stdout.close()\nsys.stderr.close()\nraise SystemExit",
    "replaces": "import sys, io\nsys.stdout = None\nsys.stderr = io.StringIO()\nraise SystemExit",
    "descriptors": "import os\nos.close(1)\nos.close(2)\nraise SystemExit",
    "departs": "import atexit\natexit.register(print, 'NOISE')\nFAMILY = 1",
    "absent": None,
}
POINTS = "".join(f"{name} = {name}_module:FAMILY\n" for name in MODULES)
MALFORMED = (
    "broken1 = a b c\nbroken2 = : \nbroken3 =\nUPPER = exits_module:F\nmetacog = prints_module:F\n"
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages: one brings every faulty plug-in, one has no metadata."""
    for package, metadata in (("evil", "Name: evil\nVersion: 1\x1b[2J\n"), ("bare", None)):
        folder = tmp_path / "site" / f"{package}-1.dist-info"
        folder.mkdir(parents=True)
        points = "".join(
            f"[mirror_ray.{group}]\n{POINTS}{MALFORMED}" for group in ("families", "agents")
        )
        (folder / "entry_points.txt").write_text(points)
        if metadata is not None:
            (folder / "METADATA").write_text(f"Metadata-Version: 2.1\n{metadata}")
    for name, text in MODULES.items():
        if text is not None:
            (tmp_path / "site" / f"{name}_module.py").write_text(text)
    return tmp_path / "site"


def test_commands_work_and_print_json_alone(site: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    record_run(plan_for(run), lambda _: says("w"))
    each = (
        ("sql", str(run), "select 1 as one"),
        ("status", str(run)),
        ("plan", str(tmp_path / "run.yaml")),
        ("models", "scripted/*"),
    )
    for words in one_in(2, each):
        done = subprocess.run(
            [sys.executable, "-m", "mirror_ray", *words, "--json"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stderr


def test_one_that_is_named_is_an_error_of_one_message(site: Path, tmp_path: Path) -> None:
    named = ("exits", "interrupts", "lazy", "absent", "unprintable")
    for name in one_in(4, (*named, "closes", "replaces", "descriptors")):
        done = subprocess.run(
            [sys.executable, "-m", "mirror_ray", "check-family", name],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        assert f"mirror_ray.families: {name} = " in done.stderr
        assert "Traceback" not in done.stderr


def test_plan_imports_no_plugin_that_its_sweep_does_not_name(tmp_path: Path, site: Path) -> None:
    (site / "exits_module.py").write_text("import os\nos._exit(3)")
    plan_for(tmp_path / "run")
    for words in one_in(2, (("plan", "stages.0.seeds=2"), ("plan", "--json"))):
        done = subprocess.run(
            [sys.executable, "-m", "mirror_ray", words[0], str(tmp_path / "run.yaml"), *words[1:]],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_an_agent_that_cannot_be_imported_is_refused_before_the_start(
    tmp_path: Path, site: Path
) -> None:
    plan_for(tmp_path / "run")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mirror_ray", "plan", str(tmp_path / "run.yaml")),
            "models=scripted/exits",
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "mirror_ray.agents: exits = " in done.stderr


@pytest.fixture
def pythons_own_handler() -> Iterator[None]:
    """Of SIGINT: libraries that other tests load may have set another."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("pythons_own_handler")
def test_ctrl_c_during_an_import_is_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt), as_plugin("a plug-in", "evil"):
        os.kill(os.getpid(), signal.SIGINT)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(PluginError), as_plugin("a plug-in", "evil"):
        raise KeyboardInterrupt
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_printed_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    with as_plugin("a plug-in", "evil"):
        print("said")
        os.write(1, b"written\n")
    print("afterwards")
    out, err = capfd.readouterr()
    assert out == "afterwards\n"
    assert sorted(err.split()) == ["said", "written"]
