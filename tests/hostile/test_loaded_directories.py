"""Whatever a run directory holds, to load it from Python ends as a command does, and what a
notebook shows of it runs nothing. `make test-whole` loads every directory, `make test` every
27th: the commands read three times as many, by the same readers."""

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_run_directories import CANARY, DIRECTORIES, contents, drawn_fast, harmless, sound

import mirror_ray
from mirror_ray.core.errors import MirrorRayError
from support.whole import one_in

pytestmark = pytest.mark.thorough("hostile/test_run_directories.py, by every command")

__all__ = ["drawn_fast", "sound"]

MARKUP = ("<script", "<img", "<svg", "<iframe", "javascript:")


def told_by(out: Path, episode_id: str) -> Iterator[str]:
    """What a notebook shows of a run, or of the error of each question."""
    try:
        runs = mirror_ray.load(out)
    except MirrorRayError as error:
        yield str(error)
        return
    with runs:
        asked = (
            lambda: repr(runs),
            runs._repr_html_,
            lambda: runs.metrics()._repr_html_(),
            lambda: runs.episodes()._repr_html_(),
            lambda: runs.steps()._repr_html_(),
            lambda: runs.pairs()._repr_html_(),
            lambda: repr(runs.frame(episode_id)),
        )
        for ask in asked:
            try:
                yield ask()
            except MirrorRayError as error:
                yield str(error)


@pytest.mark.parametrize("name", one_in(27, DIRECTORIES))
def test_loading_it_harms_nobody(
    name: str, sound: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, episode_id = sound
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    out, outside = tmp_path / "run", tmp_path / "outside"
    shutil.copytree(run, out)
    outside.mkdir()
    (outside / "canary").write_text(CANARY)
    DIRECTORIES[name](out, outside)
    before = contents(outside)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        told = list(told_by(out, episode_id))
    assert told
    for text in (*told, *(str(one.message) for one in warned)):
        assert harmless(text)
        assert len(text) < 100_000
        assert CANARY not in text
    assert not [one for text in told for one in MARKUP if one in text and text.startswith("<")]
    assert contents(outside) == before
    assert not any((tmp_path / "here").iterdir())
