"""The documentation builds as a site: no page is missing, no link leads nowhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough("docs/test_examples.py reads every page")

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    environ = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=120
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return out


def test_every_page_is_there_and_in_the_navigation(site: Path) -> None:
    assert {path.stem for path in site.glob("*.html")} == {*PAGES, "404"}
    start = (site / "index.html").read_text()
    assert not [name for name in PAGES if f'href="{name}.html"' not in start and name != "index"]


def test_programs_find_every_page(site: Path) -> None:
    listed = re.findall(r"^- \[[^\]]+\]\((\w+)\.html\): \S", (site / "llms.txt").read_text(), re.M)
    assert sorted(listed) == PAGES


def test_the_reference_has_signatures_and_docstrings(site: Path) -> None:
    text = re.sub(r"<[^>]+>", "", (site / "reference.html").read_text())
    for words in ("SelfIDEnv", "mirror_ray.api.table.Table", "exit_code", "Raises"):
        assert words in text, words
