"""How rows are written into the journal: what fits, what does not, and what comes back."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.errors import RecordError
from mirror_ray.records.rows.arrow import Columns, table_of
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode

SCHEMA = pa.schema(
    [
        pa.field("episode_id", pa.string(), nullable=False),
        pa.field("take", pa.int32(), nullable=False),
        pa.field("error_kind", pa.string()),
        pa.field("count", pa.int32()),
        pa.field("far", pa.int64()),
        pa.field("share", pa.float64()),
        pa.field("flag", pa.bool_()),
        pa.field("pixels", pa.list_(pa.int32())),
        pa.field("fixes", pa.list_(pa.string())),
        pa.field("failed", pa.list_(pa.struct([("kind", pa.string()), ("usd", pa.float64())]))),
    ],
    metadata={"schema_version": "2"},
)
FORM = RowCodec("alpha", SCHEMA, SCHEMA)


def episode(*steps: dict[str, Any], **values: Any) -> FinishedEpisode:
    """An episode \"e\" with so many asks."""
    whole = {"episode_id": "e", "error_kind": "none", "take": 99, **values}
    return FinishedEpisode("alpha", whole, tuple({"episode_id": "e", **step} for step in steps))


def read(*finished: FinishedEpisode, form: RowCodec = FORM) -> tuple[pa.Table, pa.Table]:
    return form.read((take, form.write(one).rows) for take, one in enumerate(finished, start=1))


def test_rows_come_back_under_their_schema_with_the_take_they_were_given():
    steps, episodes = read(
        episode({"count": 1}, {"count": 2, "take": 7}), episode(), episode({"flag": True})
    )
    assert steps.schema.equals(SCHEMA, check_metadata=True)
    assert episodes.schema.equals(SCHEMA, check_metadata=True)
    assert [(row["take"], row["count"]) for row in steps.to_pylist()] == [(1, 1), (1, 2), (3, None)]
    assert episodes["take"].to_pylist() == [1, 2, 3]


def test_what_is_told_of_a_written_episode():
    written = FORM.write(episode(error_kind="budget"))
    assert (written.family, written.episode_id, written.error_kind) == ("alpha", "e", "budget")


def test_a_form_is_packed_and_unpacked_whole():
    again = RowCodec.unpacked(*FORM.packed)
    steps, _ = read(episode({"fixes": ["a"]}), form=again)
    assert steps.schema.equals(SCHEMA, check_metadata=True)
    assert again.packed == FORM.packed


@pytest.mark.parametrize(
    ("column", "value"),
    [("count", 1.5), ("count", 2**31), ("pixels", [1, 2.5]), ("flag", 1), ("episode_id", None)],
)
def test_a_bad_value_is_told_by_column_and_episode(column, value):
    with pytest.raises(RecordError, match=f"steps of episode e: column '{column}', row 1"):
        FORM.write(episode({}, {column: value}))
    if value is not None:
        with pytest.raises(RecordError, match=f"^episode e: column '{column}'"):
            FORM.write(episode(**{column: value}))


def test_an_unknown_column_is_told():
    with pytest.raises(RecordError, match=r"steps of episode e: unknown columns \['cuont'\]"):
        FORM.write(episode({"cuont": 1}))


def test_what_utf8_cannot_carry_stays_visible():
    steps, episodes = read(episode({"fixes": ["\udc00", "plain"]}, error_kind="half \ud83d"))
    assert steps["fixes"].to_pylist() == [[r"\udc00", "plain"]]
    assert episodes["error_kind"].to_pylist() == [r"half \ud83d"]


def test_numbers_of_numpy_pass():
    (row,) = read(episode({"count": np.int64(3), "share": np.float32(0.5), "flag": np.True_}))[
        0
    ].to_pylist()
    assert (row["count"], row["share"], row["flag"]) == (3, 0.5, True)


def test_a_column_that_cannot_be_written_is_refused_at_once():
    with pytest.raises(ValueError, match="timestamp"):
        Columns(pa.schema([pa.field("at", pa.timestamp("ms"))]))


class Text(str):
    """Not exactly a text, but one to Arrow."""


LETTERS = 'a\xe9\x00\u2028\U0001d11e"\ud83d'
"""Of one to four bytes, with meaning in JSON, and last what UTF-8 cannot carry."""
WORDS = st.text(LETTERS[:-1], max_size=3)

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64)
    | st.sampled_from([2**31, -(2**31) - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63])
    | st.floats()
    | st.text(LETTERS, max_size=3)
    | st.just(Text("x"))
    | st.binary(max_size=2)
    | st.sampled_from([np.int32(1), np.float64(2.5), np.bool_(True)]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.sampled_from(["kind", "usd", "price"]), inner, max_size=2)
    ),
    max_leaves=4,
)
fitting = {
    "count": st.integers(-(2**31), 2**31 - 1),
    "far": st.integers(-(2**63), 2**63 - 1),
    "share": st.floats() | st.integers(-(2**53), 2**53),
    "flag": st.booleans(),
    "pixels": st.lists(st.none() | st.integers(0, 9), max_size=3),
    "fixes": st.lists(WORDS, max_size=3).map(tuple),
    "failed": st.lists(
        st.fixed_dictionaries({}, optional={"kind": WORDS, "usd": st.floats()}), max_size=2
    ),
}
step = st.fixed_dictionaries(
    {}, optional={name: st.none() | values for name, values in fitting.items()}
)
odd_step = st.builds(
    lambda row, name, value: {**row, name: value},
    step,
    st.sampled_from([*fitting, "episode_id", "cuont"]),
    anything,
)


@given(st.lists(step | odd_step, max_size=3))
def test_just_what_an_arrow_table_takes_is_written_and_comes_back_alike(rows):
    """Strictness, repairs and values are those of `table_of`."""
    finished = episode(*rows)
    try:
        table = table_of([{**row, "take": 1} for row in finished.steps], SCHEMA, of="e")
    except RecordError:
        with pytest.raises(RecordError, match="episode e"):
            FORM.write(finished)
        return
    # As text: a NaN is not equal to itself.
    assert repr(read(finished)[0].to_pylist()) == repr(table.to_pylist())


@given(step)
def test_what_fits_is_written_without_a_close_look(row):
    columns = Columns(pa.schema([SCHEMA.field(name) for name in fitting]))
    (values,) = columns.values([row], of="e")
    assert all(kept is row.get(name) for name, kept in zip(fitting, values, strict=True))
