"""A run's tables with Croissant metadata, written and checked by Croissant's own library."""

import json
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path

import mlcroissant as mlc
import pyarrow as pa

from mirror_ray.analysis.export.tables import DataTable, write_tables

_FILE = "croissant.json"


def write_croissant(directory: str | Sequence[str], folder: Path, *, name: str) -> tuple[Path, ...]:
    """Write ``croissant.json`` and the ``data/*.parquet`` it describes. Raise NotADirectoryError if
    the run directory does not exist, OSError if a file cannot be written."""
    tables = write_tables(directory, folder)
    metadata = mlc.Metadata(
        name=name,
        description="Replies of vision-language models in mirror benchmarks, with scores, as "
        "played by mirror-ray. Undefined values are null.",
        conforms_to="http://mlcommons.org/croissant/1.0",
        distribution=[_file(table, folder) for table in tables],
        record_sets=[_records(table) for table in tables],
    )
    path = folder / _FILE
    path.write_text(json.dumps(metadata.to_json(), indent=2, default=str) + "\n", encoding="utf-8")
    return (path, *(folder / table.path for table in tables))


def _file(table: DataTable, folder: Path) -> mlc.FileObject:
    path = folder / table.path
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return mlc.FileObject(
        id=f"{table.name}.parquet",
        name=f"{table.name}.parquet",
        description=table.text,
        content_url=table.path,
        content_size=f"{path.stat().st_size} B",
        encoding_formats=["application/x-parquet"],
        sha256=digest,
    )


def _records(table: DataTable) -> mlc.RecordSet:
    return mlc.RecordSet(
        id=table.name,
        name=table.name,
        description=table.text,
        fields=[
            mlc.Field(
                id=f"{table.name}/{column.name}",
                name=column.name,
                data_types=[_type(column.type)],
                repeated=pa.types.is_list(column.type) or None,
                source=mlc.Source(
                    file_object=f"{table.name}.parquet", extract=mlc.Extract(column=column.name)
                ),
            )
            for column in table.schema
        ],
    )


def _type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return _type(kind.value_type)
    if pa.types.is_boolean(kind):
        return str(mlc.DataType.BOOL)
    if pa.types.is_integer(kind):
        return str(mlc.DataType.INTEGER)
    return str(mlc.DataType.FLOAT if pa.types.is_floating(kind) else mlc.DataType.TEXT)
