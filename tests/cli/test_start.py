"""How a process of one command begins."""

import gc

import pytest

from mirror_ray import cli


def test_garbage_is_collected_once_the_command_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    during = []

    def imported(name: str) -> object:
        during.append((name, gc.isenabled()))
        if name == "nothing":
            raise ImportError(name)
        return gc

    monkeypatch.setattr(cli, "import_module", imported)
    assert cli._imported_first("something") is gc
    assert gc.isenabled()
    with pytest.raises(ImportError):
        cli._imported_first("nothing")
    assert gc.isenabled()
    assert during == [("something", False), ("nothing", False)]
