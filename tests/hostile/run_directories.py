"""Run directories as somebody might make them who means harm, or as a bad disk leaves them.

Each is a small sound run with one thing changed. `TARGET` stands for a folder outside of it, which
no reader may touch; whatever SQL, link or path the change plants, leads there.
"""

from collections.abc import Iterator

from hostile.changes import (
    ESCAPES,
    MARKUP,
    Change,
    changed_bytes,
    circle,
    folder,
    in_journal,
    link,
    manifest,
    moved_out,
    pipe,
    pipe_as,
    socket_as_a_shard,
    sparse,
    stage,
    sweep,
    views_sql,
    written,
)
from hostile.hostile_shards import damaged, of_other_columns, of_other_values


def directories() -> dict[str, Change]:
    """Name → what is done to a sound run."""
    found: dict[str, Change] = {}
    for kind in (
        _manifests,
        _sweeps,
        _leading_elsewhere,
        damaged,
        of_other_columns,
        of_other_values,
        _journals,
    ):
        for name, change in kind():
            assert name not in found, name
            found[name] = change
    return found


def _manifests() -> Iterator[tuple[str, Change]]:
    for name, content in {
        "empty": b"",
        "not-json": b"{",
        "not-utf8": b"\xff\xfe{}",
        "nul": b"\x00" * 1000,
        "deep": b'{"sweep":' * 100_000,
        "deep-list": b"[" * 1_000_000,
        "many-digits": b'{"schema_version": ' + b"9" * 5_000 + b"}",
        "list": b'["schema_version", "sweep_sha", "sweep", "runs"]',
        "string": b'"schema_version sweep_sha sweep runs"',
        "null": b"null",
        "number": b"1e999",
        "nothing": b"{}",
    }.items():
        yield f"manifest-{name}", written("manifest.json", content)
    yield "manifest-of-a-gigabyte", sparse("manifest.json")
    for name, parts in {
        "sweep-is-a-list": {"sweep": []},
        "runs-is-an-object": {"runs": {}},
        "runs-of-null": {"runs": [None]},
        "hosts-is-a-list": {"runs": [{"hosts": []}]},
        "hosts-of-null": {"runs": [{"hosts": {"a": None}}]},
        "version-is-true": {"schema_version": True},
        "version-of-the-future": {"schema_version": 10**30},
        "sha-is-a-list": {"sweep_sha": []},
        "odd-surroundings": {"runs": [{"gl": 3, "versions": [1], "cpu": {"x": 1}, "hosts": {}}]},
        "escapes-in-surroundings": {
            "runs": [{"gl": {"vendor": ESCAPES}, "versions": {"numpy": MARKUP}, "cpu": ESCAPES}]
        },
    }.items():
        yield f"manifest-{name}", manifest(lambda m, parts=parts: {**m, **parts})


def _sweeps() -> Iterator[tuple[str, Change]]:
    """What a manifest says was to be played."""
    for name, keys in {
        "no-name": {"name": None},
        "name-is-a-path": {"name": "../../outside/x"},
        "name-of-escapes": {"name": ESCAPES},
        "name-of-a-megabyte": {"name": "x" * 2**20},
        "models-of-markup": {"models": [MARKUP]},
        "models-of-escapes": {"models": [ESCAPES]},
        "models-is-a-number": {"models": 5},
        "model-of-a-megabyte": {"models": ["m" * 2**20]},
        "no-stages": {"stages": []},
        "stages-of-null": {"stages": [None]},
        "budget-nan": {"budget_usd": float("nan")},
        "budget-negative": {"budget_usd": -1},
        "budget-for-nobody": {"budget_per_model_usd": {ESCAPES: 1.0}},
        "unknown-key": {ESCAPES: 1},
        "resolver": {"out": "${oc.env:HOME}"},
    }.items():
        yield f"sweep-{name}", sweep(keys)
    for name, keys in {
        "unknown-family": {"family": "../selfid"},
        "family-of-sql": {"family": "selfid_episodes; drop schema shard cascade; --"},
        "unknown-condition": {"conditions": [ESCAPES]},
        "seeds-of-a-trillion": {"seeds": 10**12},
        "runs-of-a-trillion": {"runs": 10**12},
        "seed-beyond-a-column": {"seeds": [2**63]},
        "seed-negative": {"seeds": [-1]},
        "temperature-infinite": {"temperature": [float("inf")]},
        "weight-nan": {"weight": float("nan")},
        "axis-of-an-expression": {"__class__": 1},
    }.items():
        yield f"stage-{name}", stage(keys)
    metacog = {"family": "metacog", "conditions": ["published"], "max_steps": None}
    stories = {"family": "textmirror", "conditions": ["generation"], "max_steps": None}
    pictures = {"family": "mirrorqa", "conditions": ["data"], "max_steps": None}
    for place in ("/dev/zero", "/proc/self/mem", "/nowhere/at/all", "../" * 50 + "etc/shadow"):
        word = place.replace("/", "-").replace(".", "")[:20]
        yield f"stage-bank{word}", stage({**metacog, "bank": place})
        yield f"stage-seed-file{word}", stage({**stories, "seed_file": place})
        yield f"stage-data{word}", stage({**pictures, "data": place})
    yield "stage-seed-file-is-a-pipe", pipe_as({**stories, "seed_file": "PIPE"})
    yield "sweep-yaml-of-tags", written("sweep.yaml", b"!!python/object/apply:os.system [id]")
    yield "sweep-yaml-of-a-gigabyte", sparse("sweep.yaml")
    yield "views-sql-that-writes", views_sql


def _leading_elsewhere() -> Iterator[tuple[str, Change]]:
    for name in (
        *("manifest.json", "sweep.yaml", "steps", "episodes", "journal.sqlite", ".run.lock"),
        *("steps/family=selfid", "episodes/family=selfid/part-000001.parquet", ".recorder.lock"),
        "steps/family=selfid/part-000001.parquet",
    ):
        yield f"link-{name.replace('/', '-')}", moved_out(name)
    for name in (
        *(
            "intervals",
            "report",
            "export",
            "replay",
            "views.sql",
            "journal.sqlite-wal",
            ".writable",
        ),
        *(".views.sql.tmp", ".manifest.json.tmp", "steps/family=selfid/.part-000002.parquet.tmp"),
    ):
        yield f"planted-{name.replace('/', '-')}", link(name)
    yield "link-to-zeros", link("episodes/family=selfid/zero.parquet", "/dev/zero")
    yield "link-in-a-circle", circle
    yield "link-to-the-run-itself", link("episodes/again", ".")
    for name in (
        *("manifest.json", "journal.sqlite", "episodes/family=selfid/part-000001.parquet"),
        *("steps/family=selfid/part-000001.parquet", "intervals"),
    ):
        yield f"pipe-{name.replace('/', '-')}", pipe(name)
        yield f"folder-{name.replace('/', '-')}", folder(name)
    yield "socket-as-a-shard", socket_as_a_shard


def _journals() -> Iterator[tuple[str, Change]]:
    yield "journal-empty", written("journal.sqlite", b"")
    yield "journal-of-text", written("journal.sqlite", b"not a database at all\n" * 100)
    yield "journal-of-zeros", written("journal.sqlite", bytes(8_192))
    yield "journal-cut-off", changed_bytes("journal.sqlite", lambda whole: whole[:3_000])
    yield (
        "journal-of-noise",
        changed_bytes("journal.sqlite", lambda whole: whole[:200] + bytes(len(whole) - 200)),
    )
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select"
    for name, sql in {
        "endless-view": "drop table ledger; create view ledger as "
        f"{endless} 'x' as episode_id, i as spent_usd from n",
        "trigger": "create trigger t after insert on reply begin delete from ledger; end",
        "virtual-table": "create virtual table v using fts5(x)",
        "computed-column": "alter table reply add column c as (hex(zeroblob(1000000000)))",
        "version-of-the-future": "pragma user_version = 99",
        "no-tables": "drop table reply; drop table finished; drop table form; drop table ledger",
        "ledger-of-texts": "drop table ledger; create table ledger (episode_id, spent_usd); "
        "insert into ledger values ('x', 'much'), (x'ff', -1e308), (null, 9e999), (1, 1e400)",
        "replies-of-noise": "insert into reply values ('x', 1, 's', null, '{', '{\"a\"', 1, 0), "
        "('y', 9223372036854775807, 's', null, '{}', '[]', 1, 0)",
        "reply-nested-deep": "insert into reply select 'x', 1, 's', null, '{}', "
        "replace(hex(zeroblob(50000)), '0', '['), 1, 0",
        "form-of-noise": "insert into form values (77, 'selfid', x'00', x'ff', 0)",
        "rows-of-noise": "insert into finished values (1, 'x', 1, 'none', x'789c00', 0)",
    }.items():
        yield f"journal-{name}", in_journal(sql)
