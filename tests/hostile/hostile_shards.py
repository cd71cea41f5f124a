"""Run directories whose shards are damaged, of other columns, or say what no run says."""

from collections.abc import Iterator

import pyarrow as pa

from hostile.changes import (
    ESCAPES,
    MARKUP,
    Change,
    as_table,
    changed_bytes,
    copied,
    many_rows,
    nested,
    retyped,
    revalued,
    with_column,
    without_column,
    written,
)

DIFFERENCES = "intervals/paired_differences.parquet"


def damaged() -> Iterator[tuple[str, Change]]:
    for kind in ("episodes", "steps"):
        name = f"{kind}/family=selfid/part-000001.parquet"
        for how, damage in {
            "empty": lambda _: b"",
            "cut-off": lambda whole: whole[: len(whole) // 2],
            "without-its-end": lambda whole: whole[:-8],
            "zeros": lambda whole: bytes(len(whole)),
            "noise": lambda whole: bytes((7 * i * i + 3) % 251 for i in range(len(whole))),
            "text": lambda _: b"episode_id,take\n1,2\n",
            "pages-of-noise": lambda whole: (
                whole[:4]
                + bytes(i % 251 for i in range(len(whole) // 3))
                + whole[4 + len(whole) // 3 :]
            ),
            "an-end-of-noise": lambda whole: whole[:-200] + bytes(192) + whole[-8:],
            "a-huge-footer": lambda whole: whole[:-8] + b"\xff\xff\xff\x7fPAR1",
        }.items():
            yield f"{kind}-{how}", changed_bytes(name, damage)
        yield f"{kind}-gone", lambda out, _, name=name: (out / name).unlink()
        yield f"{kind}-one-more-of-noise", written(f"{kind}/family=selfid/x.parquet", b"PAR1" * 9)
        yield f"{kind}-of-another-family", copied(name, f"{kind}/family=other/part-1.parquet")
        yield (
            f"{kind}-of-a-family-of-sql",
            copied(name, f"{kind}/family=x'); copy (select 1) to 'TARGET/made/part-1.parquet"),
        )
    yield "episodes-of-more-rows-than-bytes", many_rows
    yield "intervals-of-noise", written("intervals/selfid.parquet", b"PAR1 noise PAR1")
    yield "intervals-of-other-columns", as_table("intervals/selfid.parquet", {"x": [1]})
    yield ("differences-of-other-columns", as_table(DIFFERENCES, {"x": [1]}))


def of_other_columns() -> Iterator[tuple[str, Change]]:
    """Shards of other columns than this program writes."""
    for kind in ("episodes", "steps"):
        for column, values in {
            "episode_id": pa.array([1, 2]),
            "take": pa.array(["a", "b"]),
            "model": pa.array([[1], [2]]),
            "cost_usd": pa.array(["free", "$1"]),
            "family": pa.array([b"selfid", b"\xff"]),
            "error_kind": pa.array([None, None], pa.string()),
            "tokens_in": pa.array([{"x": 1}, {"x": 2}]),
            "temperature": pa.array([True, False]),
        }.items():
            yield f"{kind}-{column.replace('_', '-')}-retyped", retyped(kind, column, values)
        for column in ("episode_id", "take", "family", "model"):
            yield f"{kind}-without-{column.replace('_', '-')}", without_column(kind, column)
        sql = "x\") from stage.selfid_episodes; copy (select 1) to 'TARGET/made' --"
        yield f"{kind}-column-of-sql", with_column(kind, sql, pa.array([1]))
        yield f"{kind}-struct-of-sql", with_column(kind, sql, pa.array([{sql: 1}]))
        yield f"{kind}-column-without-a-name", with_column(kind, "", pa.array([1]))
        yield f"{kind}-column-of-escapes", with_column(kind, ESCAPES, pa.array([1]))
        yield f"{kind}-column-nested-deep", with_column(kind, "deep", nested(150))
        yield f"{kind}-column-twice", with_column(kind, "model", pa.array(["m"]))


def of_other_values() -> Iterator[tuple[str, Change]]:
    copy = "copy (select 1) to 'TARGET/made'"
    read = "(select content from read_text('TARGET/canary'))"
    for column, values in {
        "episode_id": ("../../../outside/x", ESCAPES, "x" * 2**20, "", f"'; {copy}; --", "a/b"),
        "family": (f"selfid; {copy}", "../x", f'selfid"; {copy}; --', MARKUP),
        "cell_id": (f"x'; {copy}; select '", f"x' or {read} = '", "../../outside/x", ESCAPES),
        "model": (MARKUP, ESCAPES, "m" * 2**20, f"x'; {copy}; --", "../../outside/x", "=cmd()"),
        "condition": (f"x'; {copy}; --", ESCAPES, "../../x", "{setting}"),
        "variant": (
            *(f"x'; {copy}; --", "paper+../../../outside/x=1", f"paper+a' or {read}=1", ESCAPES),
            *("paper+" + "a" * 500 + "=1", "paper+{axis}=1", "paper+" + "=" * 1_000),
        ),
        "sweep": (ESCAPES, "../x"),
        "error_kind": (ESCAPES, f"'; {copy}; --", "no-such-kind"),
        "take": (0, -1, 2**31 - 1),
        "run": (-1, 2**31 - 1),
        "scene_seed": (-1, 2**63 - 1),
        "temperature": (float("nan"), float("inf"), -1e308),
    }.items():
        for number, value in enumerate(values):
            yield f"both-{column.replace('_', '-')}-{number}", revalued(None, column, value)
    for column, values in {
        "cost_usd": (float("nan"), float("inf"), -1e9, 1e308),
        "tokens_in": (2**63 - 1, -(2**63)),
        "n_asks": (-1, 2**31 - 1),
        "wall_s": (float("nan"), -1.0),
        "finished_at": ("", ESCAPES, "9999-99-99T99:99:99", "x" * 2**20),
        "error": (ESCAPES,),
    }.items():
        for number, value in enumerate(values):
            yield (
                f"episodes-{column.replace('_', '-')}-{number}",
                revalued("episodes", column, value),
            )
    for column, values in {
        "cost_usd": (float("nan"), -1e9),
        "latency_s": (float("nan"), float("inf"), -1.0),
        "tokens_out": (2**63 - 1, -1),
        "attempts": (-(2**31), 2**31 - 1),
        "ask": (0, 7, 2**31 - 1),
        "step": (-5, 2**31 - 1),
        "role": (ESCAPES, "nobody"),
        "started_at": ("", "soon", "0000-00-00"),
        "reply": ("[" * 50_000, ESCAPES, "9" * 5_000, None),
        "reasoning": (ESCAPES,),
        "finish_reason": (ESCAPES,),
        "parse_fixes": ([ESCAPES], [None]),
        "failed_attempts": (
            [{"started_at": "x", "latency_s": float("nan"), "error_kind": ESCAPES}],
            [None],
        ),
        "frame_sha": (ESCAPES,),
    }.items():
        for number, value in enumerate(values):
            yield f"steps-{column.replace('_', '-')}-{number}", revalued("steps", column, value)
