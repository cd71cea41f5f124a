"""A folder that `datasets` loads and a hub shows: Parquet files and a card. Nothing is uploaded."""

from collections.abc import Sequence
from pathlib import Path

from huggingface_hub import DatasetCardData

from mirror_ray.analysis.export.tables import DataTable, write_tables

CARD = "README.md"


def write_dataset(directory: str | Sequence[str], folder: Path, *, name: str) -> tuple[Path, ...]:
    """Write ``README.md`` and ``data/*.parquet``, for ``datasets.load_dataset(folder, "<table>")``.
    Raise NotADirectoryError if the run directory does not exist, OSError if a file cannot be
    written."""
    tables = write_tables(directory, folder)
    metadata = DatasetCardData(
        pretty_name=name,
        language=["en"],
        tags=["mirror-ray", "vision-language-models", "self-recognition"],
        size_categories=[_size(max((table.n_rows for table in tables), default=0))],
        configs=[
            {"config_name": table.name, "data_files": [{"split": "train", "path": table.path}]}
            for table in tables
        ],
    )
    card = folder / CARD
    card.write_text(f"---\n{metadata.to_yaml()}\n---\n\n{_text(name, tables)}", encoding="utf-8")
    return (card, *(folder / table.path for table in tables))


def _text(name: str, tables: tuple[DataTable, ...]) -> str:
    listed = "\n".join(f"| `{t.name}` | {t.n_rows:,} | {t.text} |" for t in tables)
    first = tables[0].name if tables else "TABLE"
    return f"""\
# {name}

A run of mirror-ray, which sweeps mirror benchmarks over vision-language models. Every table has one
split; undefined values are null, never 0.

| table | rows | a row is |
|---|---|---|
{listed}

```python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", "{first}", split="train")
```

The tables of one family share `episode_id`. `reply` has what models replied, as they wrote
it. Pictures are not part of the data: a frame is a function of the record, and `frame_sha` is its
hash.
"""


def _size(n_rows: int) -> str:
    ends = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"),
            (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))  # fmt: skip
    return next((word for end, word in ends if n_rows < end), "10M<n<100M")
