"""The image that the Dockerfile makes: built where a container engine runs, read everywhere."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
TAG = "mirror-ray-test"


def engine() -> str | None:
    """A container engine that answers."""
    for name in ("docker", "podman"):
        if shutil.which(name):
            asked = subprocess.run([name, "info"], capture_output=True, timeout=60, check=False)
            if asked.returncode == 0:
                return name
    return None


def test_it_names_files_extras_and_libraries_that_exist():
    copied = re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    assert all((ROOT / source).exists() for source in sources)
    # What is not sent to the engine cannot be copied.
    sent = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    assert sources == sent
    locks = re.findall(r"-r (\S+)", DOCKERFILE)
    assert "runtime.lock" in locks
    assert all((ROOT / "mirror_ray" / "locks" / name).is_file() for name in locks)
    # The libraries that a machine's own setup installs.
    named = re.findall(r"packages\+=\(([^)]*)\)", (ROOT / "setup.sh").read_text())
    libraries = {word for words in named for word in words.split() if word.startswith("lib")}
    assert libraries <= set(DOCKERFILE.split())


@pytest.mark.timeout(1800)
def test_it_builds_and_plays():
    name = engine()
    if name is None:
        pytest.skip("no container engine answers here")
    subprocess.run([name, "build", "--tag", TAG, str(ROOT)], check=True)
    sweep = ("plan", "quickstart", "--json")
    planned = subprocess.run([name, "run", "--rm", TAG, *sweep], check=True, capture_output=True)
    assert b'"name": "quickstart"' in planned.stdout
