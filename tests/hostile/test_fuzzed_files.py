"""Whatever stands in a file: its reader returns, or raises the one error that it is to raise."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from bad_data import png
from bad_files import GOOD
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.errors import RenderError, SweepError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.families.metacog.published import read_bank
from mirror_ray.families.mirrorqa.folder import read_split
from mirror_ray.families.textmirror.seeds import seeds_in_file
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.catalogue_file import CatalogueEntry
from mirror_ray.sweep.file import StageKeys, SweepKeys
from mirror_ray.sweep.interpolation import interpolated
from mirror_ray.sweep.load import load_plan
from mirror_ray.world.photo import view_of_file
from support.whole import examples

# The same examples in every run.
fuzzed = settings(max_examples=examples(40, 150), derandomize=True)

NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 2**31, 2**63, 10**30, 0.5, -0.0, 1e308, True, False])
WORDS = st.sampled_from(
    [
        *("selfid", "metacog", "mirrorqa", "textmirror", "E1", "exp1", "story", "data", "sim"),
        *("scripted/observer", "scripted/oracle", "openai/gpt-5.1", "*", "/dev/zero", "..", "\0"),
        *("${name}", "${stages}", "${stages.0}", "${out}", "${.}", "${oc.env:HOME}", "${", "<<"),
    ]
)
SCALARS = st.one_of(st.none(), NUMBERS, WORDS, st.text(max_size=20))
KEYS = st.one_of(
    st.sampled_from(
        [*SweepKeys.model_fields, *StageKeys.model_fields, *CatalogueEntry.model_fields]
    ),
    st.sampled_from(["bank", "seed_file", "data", "split", "history", "bank_sha256", "models"]),
    WORDS,
    st.text(max_size=10),
)
TREES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)
MARKUP = st.text(st.sampled_from(list("{}[]:,-?&*!|>'\"%#@` \n\t$.<~=0e1a\\")), max_size=60)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


def _try(reader: Callable[[], object], *errors: type[Exception]) -> None:
    with suppress(*errors):
        reader()


@fuzzed
@given(st.binary(max_size=200) | MARKUP.map(str.encode) | st.text().map(str.encode))
def test_bytes_as_any_file(place: Path, content: bytes) -> None:
    for name in ("a.yaml", "a.jsonl", "a.jsonl.gz", "test.jsonl", "a.csv", "a.png"):
        (place / name).write_bytes(content)
    folder = str(place)
    _try(lambda: load_plan(f"{folder}/a.yaml"), SweepError)
    _try(lambda: load_catalogue(place / "a.yaml"), SweepError)
    read_bank.cache_clear()
    _try(lambda: read_bank(place / "a.jsonl", 0), UnfitError)
    _try(lambda: read_bank(place / "a.jsonl.gz", 0), UnfitError)
    _try(lambda: read_split(folder, "test", "x"), SweepError)
    _try(lambda: seeds_in_file(f"{folder}/a.csv", "x"), SweepError)
    _try(lambda: view_of_file(f"{folder}/a.png"), RenderError)


@fuzzed
@given(MARKUP, st.integers(0, len(GOOD)))
def test_markup_within_a_sweep(place: Path, markup: str, at: int) -> None:
    path = place / "within.yaml"
    path.write_text(GOOD[:at] + markup + GOOD[at:])
    _try(lambda: load_plan(str(path)), SweepError)


@fuzzed
@given(st.dictionaries(KEYS, TREES, max_size=6), st.dictionaries(KEYS, TREES, max_size=4))
def test_trees_as_a_sweep(
    place: Path, changes: dict[str, Any], of_the_stage: dict[str, Any]
) -> None:
    good = yaml.safe_load(GOOD)
    good["stages"][0].update(of_the_stage)
    path = place / "tree.yaml"
    path.write_text(json.dumps({**good, **changes}))
    _try(lambda: load_plan(str(path)), SweepError)


@fuzzed
@given(st.dictionaries(KEYS, TREES, max_size=6))
def test_trees_as_an_entry_of_a_catalogue(place: Path, entry: dict[str, Any]) -> None:
    path = place / "catalogue.yaml"
    path.write_text(json.dumps({"models": {"openai/x": entry}, "defaults": {"x*": entry}}))
    _try(lambda: load_catalogue(path), SweepError)


@fuzzed
@given(st.lists(st.tuples(KEYS | MARKUP, MARKUP | WORDS | st.text()), max_size=3))
def test_overrides(place: Path, overrides: list[tuple[str, str]]) -> None:
    path = place / "overridden.yaml"
    path.write_text(GOOD)
    words = [f"{key}={value}" for key, value in overrides]
    _try(lambda: load_plan(str(path), words), SweepError)


@fuzzed
@given(MARKUP | st.text(st.characters(codec=None)))
def test_texts_as_plain_data(text: str) -> None:
    _try(lambda: read_yaml(text), UnfitError)
    _try(lambda: read_json(text), UnfitError)


@fuzzed
@given(TREES)
def test_an_interpolation_adds_nothing_from_outside(tree: Any) -> None:
    """What comes out was in the tree: a leaf of it, or texts made of its leaves."""
    try:
        found = interpolated({"name": "small", "tree": tree})
    except UnfitError:
        return
    assert "${" not in repr(found)
    assert str(Path.home()) not in repr(found)


@fuzzed
@given(st.lists(st.dictionaries(KEYS | st.just("question_text"), TREES, max_size=4), max_size=4))
def test_trees_as_rows_of_a_bank(place: Path, rows: list[dict[str, Any]]) -> None:
    good = {"question_text": "What?", "correct_answer": "2", "domain": "arithmetic"}
    path = place / "bank.json"
    path.write_text(json.dumps([good, *({**good, **row} for row in rows)]))
    read_bank.cache_clear()
    _try(lambda: read_bank(path, 0), UnfitError)


@fuzzed
@given(st.integers(0, 200), st.binary(min_size=1, max_size=8))
def test_a_picture_with_other_bytes_in_it(place: Path, at: int, patch: bytes) -> None:
    whole = png(8, 8, b"\0" * 8 * 25)
    path = place / "patched.png"
    path.write_bytes(whole[:at] + patch + whole[at + len(patch) :])
    _try(lambda: view_of_file(str(path)), RenderError)
