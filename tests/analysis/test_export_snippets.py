"""What docs/report.md tells a reader to type works on a run's exports."""

import re
from pathlib import Path

import pytest

from mirror_ray.analysis.export.croissant import write_croissant
from mirror_ray.analysis.export.dataset_card import write_dataset
from mirror_ray.analysis.export.inspect_logs import write_logs
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

PAGE = Path(__file__).parents[2] / "docs" / "report.md"
pytestmark = pytest.mark.thorough("docs/test_documented_python.py executes the same blocks")

SNIPPETS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    run = write_run(
        tmp_path_factory.mktemp("run"), scenes(Played(moments("w unknown 60", "done red 0 red")), 2)
    )
    exports = Path(run) / "export"
    write_logs(run, exports / "inspect")
    write_dataset(run, exports / "huggingface", name="synthetic")
    write_croissant(run, exports / "croissant", name="synthetic")
    return run


@pytest.mark.parametrize(
    ("library", "prints"),
    [
        ("inspect_ai", "scripted/observer    2"),
        ("datasets", "2"),
        ("mlcroissant", "2"),
        ("pandas", "1.0      2"),
        ("polars", "1.0"),
    ],
)
def test_a_snippet_prints_what_it_should(
    *,
    library: str,
    prints: str,
    run: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    (snippet,) = [text for text in SNIPPETS if re.match(rf"(import|from) {library}\b", text)]
    exec(snippet.replace("runs/quickstart", run), {})  # noqa: S102 - our own page
    assert prints in capsys.readouterr().out
