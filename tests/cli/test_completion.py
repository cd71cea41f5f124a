"""Shell completion knows sweeps, keys, models and run directories."""

from pathlib import Path

import pytest

from mirror_ray.cli import completion, main


def test_the_words_of_each_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs/a").mkdir(parents=True)
    Path("runs/a/manifest.json").touch()
    Path("runs/other").mkdir()
    Path("mine.yaml").touch()
    assert {"quickstart", "papers/mirror", "mine.yaml"} <= set(completion._sweeps(""))
    assert {"models=", "conditions=", "budget_usd="} <= set(completion._overrides(""))
    assert "models=openai/gpt-5.1" in completion._overrides("models=openai/")
    assert "models=+openai/gpt-5.1" in completion._overrides("models=+open")
    assert list(completion._run_dirs("")) == ["runs/a"]


def test_without_its_package_the_command_names_the_extra(capsys: pytest.CaptureFixture) -> None:
    try:
        import argcomplete  # noqa: F401
    except ModuleNotFoundError:
        assert main(["completion", "bash"]) == 2
        assert "mirror-ray[completion]" in capsys.readouterr().err
        return
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        assert "mirror-ray" in capsys.readouterr().out
