"""What a run's manifest states of its models reaches the tables, and nothing else does."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from mirror_ray.analysis.warehouse import open_run, write_views
from mirror_ray.core.errors import RunDirError
from mirror_ray.records.manifest import with_digest
from support.manifests import write_manifest

NAME = "lab/it's"


def family_of(directory: Path) -> Any:
    with open_run(str(directory)) as connection:
        (row,) = connection.execute(
            "select macro.model_family($1), macro.model_size_b($1), macro.model_released($1), "
            "macro.model_family_lab($1)",
            [NAME],
        ).fetchall()
    return row


def describe(directory: Path, *starts: object) -> None:
    write_manifest(directory, *({"hosts": {}, "models": {NAME: facts}} for facts in starts))


STATED = {"family": "Own", "size_b": 7, "released": "2025-09", "lab": "House", "base_url": "x"}


def test_the_latest_start_counts(tmp_path: Path) -> None:
    assert family_of(tmp_path) == ("lab", None, None, "lab")
    describe(tmp_path, {"family": "Old"}, STATED)
    assert family_of(tmp_path) == ("Own", 7.0, "2025-09", "House")


@pytest.mark.thorough("analysis/test_warehouse.py")
def test_the_plain_command_line_knows_it_too(tmp_path: Path, monkeypatch: Any) -> None:
    describe(tmp_path, STATED)
    write_views(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        connection.execute(Path("views.sql").read_text())
        (row,) = connection.execute("select macro.model_family($1)", [NAME]).fetchall()
    assert row == ("Own",)


@pytest.mark.parametrize(
    "facts",
    [
        None,
        [],
        {"family": 3, "size_b": "8", "released": "soon", "lab": ["x"]},
        {"family": "", "size_b": -1, "released": "2025-09-29; drop", "lab": None},
        {"size_b": float("nan")},
        {"size_b": 1e300},
    ],
)
def test_what_does_not_fit_is_left_out(tmp_path: Path, facts: object) -> None:
    describe(tmp_path, facts)
    assert family_of(tmp_path) == ("lab", None, None, "lab")


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", '{"runs": 3}', '{"runs": [3]}', '{"runs": [], "runs": []}'),
        "[" * 100_000,
        str(with_digest({"sweep": 1})).replace("1", "2").replace("'", '"'),
    ],
)
def test_a_damaged_manifest_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RunDirError, match="damaged manifest"):
        family_of(tmp_path)


def test_models_of_another_shape_state_nothing(tmp_path: Path) -> None:
    write_manifest(tmp_path, {"models": []})
    assert family_of(tmp_path) == ("lab", None, None, "lab")


def test_words_of_a_manifest_are_printable_and_short(tmp_path: Path) -> None:
    describe(tmp_path, {"family": "a\x1b[31m\n" + "b" * 5_000})
    family = family_of(tmp_path)[0]
    assert family.isprintable()
    assert len(family) <= 200
