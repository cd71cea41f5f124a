"""What `--set` takes, and what it says of the rest."""

import json

import pytest

from mirror_ray.cli.variables import read_variables
from mirror_ray.core.errors import SweepError


def test_plain_values_are_read_as_yaml() -> None:
    assert read_variables(["mirror_px_threshold=70", "matching=published"]) == {
        "mirror_px_threshold": 70,
        "matching": "published",
    }


def test_a_map_of_models_becomes_the_text_that_the_views_read() -> None:
    found = read_variables(
        ["model_sizes={lab/small: 8e9, lab/large: 70e9}", "model_facts={lab/x: {size_b: 8}}"]
    )
    assert json.loads(str(found["model_sizes"])) == {"lab/small": 8e9, "lab/large": 70e9}
    assert json.loads(str(found["model_facts"])) == {"lab/x": {"size_b": 8}}


@pytest.mark.parametrize(
    "setting",
    [
        "mirror_px_threshold=[1, 2]",
        "mirror_px_threshold={a: 1}",
        "model_sizes=8",
        "model_sizes={}",
        "model_sizes={lab/x: big}",
        "model_sizes={lab/x: true}",
        "model_facts={lab/x: {size_b: true}}",
        "model_sizes={lab/x: {size_b: 8}}",
        "model_facts={lab/x: 8}",
        "model_facts={lab/x: {size_b: big}}",
        "no_such_name=1",
        "matching",
    ],
)
def test_what_no_view_reads_is_refused(setting: str) -> None:
    with pytest.raises(SweepError, match=r"command line: --set"):
        read_variables([setting])
