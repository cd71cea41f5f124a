"""What a narrow terminal leaves of a command's table, by rendering it."""

import io
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from rich.console import Console
from rich.text import Text

from mirror_ray.cli.show import new_table

FULL = Path(__file__).parents[2] / "sweeps" / "full.yaml"
MODELS = list(OmegaConf.load(FULL).models)
FIGURES = ("standard", "flex", "saves", "standard, time", "flex, time")
CELLS = ("$52.71–1,634", "$37.13–945", "$82.57", "33 min–2.5 h", "33 min–1.8 d")


def drawn(width: int) -> str:
    table = new_table("model", "temperature", *FIGURES, title="by tier", left=2)
    for model in MODELS:
        table.add_row(Text(f"{model}\nby samples"), "0.2", *CELLS)
    table.add_section()
    table.add_row("all")
    file = io.StringIO()
    Console(file=file, width=width).print(table)
    return file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_names_headings_and_figures_are_whole_at_any_width(width: int) -> None:
    told = drawn(width)
    assert max(map(len, told.splitlines())) <= width
    assert "…" not in told
    for model in MODELS:
        assert model in told
    for cell in CELLS:
        assert told.count(cell) == len(MODELS)
    for word in ("by tier", "temperature", *FIGURES):
        assert word in told


def test_a_row_keeps_its_figures_in_the_columns_of_all_rows() -> None:
    lines = drawn(80).splitlines()
    starts = {line.index("$82.57") for line in lines if "$82.57" in line}
    assert len(starts) == 1
    header = next(line for line in lines if line.lstrip().startswith("standard"))
    assert header.index("saves") + len("saves") == starts.pop() + len("$82.57")


def test_where_figures_have_no_room_each_is_named() -> None:
    assert drawn(60).count("saves: $82.57") == len(MODELS)
    assert "saves: $82.57" not in drawn(80)


def rows_drawn(width: int) -> str:
    names = [f"measured_value_{place}" for place in range(9)]
    table = new_table("model", *names, left=len(names) + 1)
    for model in MODELS[:2]:
        table.add_row(model, *(f"0.{place}625" for place in range(9)))
    file = io.StringIO()
    Console(file=file, width=width).print(table)
    return file.getvalue()


@pytest.mark.parametrize("width", [60, 110])
def test_a_query_s_row_with_too_many_columns_goes_one_below_the_other(width: int) -> None:
    told = rows_drawn(width)
    lines = [line.split() for line in told.splitlines() if line.strip()]
    assert lines == [
        [name, value]
        for model in MODELS[:2]
        for name, value in [
            ("model", model),
            *((f"measured_value_{place}", f"0.{place}625") for place in range(9)),
        ]
    ]
    assert len([line for line in rows_drawn(300).splitlines() if line.strip()]) == 4
