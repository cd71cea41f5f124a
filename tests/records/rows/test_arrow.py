import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.errors import RecordError
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.schemas import EPISODES, SCHEMA_VERSION, STEPS, with_family_columns

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("count", pa.int32()),
        pa.field("share", pa.float64()),
        pa.field("flag", pa.bool_()),
        pa.field("pixels", pa.list_(pa.int32())),
        pa.field("fixes", pa.list_(pa.string())),
    ],
    metadata={"schema_version": "2"},
)


def one(**values):
    return table_of([{"id": "e", **values}], SCHEMA, of="episode e")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("count", 1.5),
        ("count", 1.0),
        ("count", True),
        ("count", "1"),
        ("count", 2**31),
        ("share", True),
        ("share", "0.5"),
        ("flag", 1),
        ("flag", "true"),
        ("id", b"e"),
        ("id", 7),
        ("pixels", "ab"),
        ("pixels", [1, 2.5]),
        ("pixels", [1, 2**31]),
        ("pixels", 3),
        ("fixes", "fence"),
        ("fixes", ["fence", 3]),
        ("id", None),
    ],
)
def test_a_value_of_another_type_is_named(column, value):
    with pytest.raises(RecordError, match=f"episode e: column '{column}', row 0"):
        one(**{column: value})


def test_an_unknown_column_is_named():
    with pytest.raises(RecordError, match="cuont"):
        one(cuont=1)


def test_the_row_is_named():
    rows = [{"id": "e", "count": 1}, {"id": "e", "count": "2"}]
    with pytest.raises(RecordError, match=r"row 1: got '2' \(str\), but it must be int32"):
        table_of(rows, SCHEMA, of="steps")


def test_columns_keep_the_schemas_order_and_absent_ones_are_null():
    table = table_of([{"flag": True, "id": "e"}], SCHEMA, of="e")
    assert table.column_names == SCHEMA.names
    assert table.to_pylist() == [
        {"id": "e", "count": None, "share": None, "flag": True, "pixels": None, "fixes": None}
    ]
    assert table.schema.metadata == SCHEMA.metadata


ATTEMPTS = pa.schema(
    [pa.field("failed", pa.list_(pa.struct([("kind", pa.string()), ("cost_usd", pa.float64())])))]
)


def test_mappings_in_lists_are_kept_with_their_gaps():
    failed = [{"kind": "half a \ud83d face", "cost_usd": None}, {"kind": None, "cost_usd": 1}]
    (row,) = table_of([{"failed": failed}], ATTEMPTS, of="e").to_pylist()
    assert row["failed"] == [
        {"kind": r"half a \ud83d face", "cost_usd": None},
        {"kind": None, "cost_usd": 1.0},
    ]


@pytest.mark.parametrize(
    "slip",
    [
        {"kind": 7},
        {"kind": "a", "price": 1.0},
        {"cost_usd": "1"},
        {"kind": "half a \ud83d face", "cost_usd": 2**53 + 1},
        3,
    ],
)
def test_mappings_are_strict_too(slip):
    with pytest.raises(RecordError, match="column 'failed', row 0"):
        table_of([{"failed": [slip]}], ATTEMPTS, of="e")


def test_no_rows_make_an_empty_table():
    assert table_of([], SCHEMA, of="e").schema.equals(SCHEMA)


def test_numpy_scalars_pass():
    table = one(
        count=np.int64(3), share=np.float64(0.5), flag=np.bool_(False), pixels=(np.int32(1),)
    )
    assert table.to_pylist()[0]["pixels"] == [1]
    assert table.to_pylist()[0]["count"] == 3


def test_what_utf8_cannot_carry_stays_visible():
    table = one(id="half a \ud83d face", fixes=["\udc00", "plain"])
    assert table.to_pylist()[0]["id"] == r"half a \ud83d face"
    assert table.to_pylist()[0]["fixes"] == [r"\udc00", "plain"]


optional = st.none()
rows = st.fixed_dictionaries(
    {"id": st.text(st.characters(exclude_categories=["Cs"]))},
    optional={
        "count": st.integers(-(2**31), 2**31 - 1) | optional,
        "share": st.floats(allow_nan=False) | optional,
        "flag": st.booleans() | optional,
        "pixels": st.lists(st.integers(0, 2**31 - 1) | optional) | optional,
        "fixes": st.lists(st.text(st.characters(exclude_categories=["Cs"]))) | optional,
    },
)


@given(st.lists(rows, max_size=5))
def test_whatever_fits_comes_back(values):
    full = [{name: row.get(name) for name in SCHEMA.names} for row in values]
    assert table_of(values, SCHEMA, of="e").to_pylist() == full


def test_a_family_may_not_repeat_a_common_column():
    with pytest.raises(ValueError, match="episode_id"):
        with_family_columns(STEPS, pa.schema([pa.field("episode_id", pa.string())]))


def test_family_columns_follow_the_common_ones():
    schema = with_family_columns(EPISODES, pa.schema([pa.field("near", pa.bool_())]))
    assert schema.names == [*EPISODES.names, "near"]
    assert schema.metadata == {b"schema_version": str(SCHEMA_VERSION).encode()}
