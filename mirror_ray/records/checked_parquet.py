"""Parquet whose pages have checksums: a bit that flips on a disk is an error, not another value.

Readers accept files without checksums, too. The footer has none.
"""

from functools import cache, partial
from typing import Any

import pyarrow as pa


@cache
def checked_format() -> Any:
    """The format for Arrow's data sets: it verifies the pages that it reads."""
    # Imported late: it costs 20 MB, in every process that can name the Recorder.
    import pyarrow.dataset as pads  # noqa: PLC0415

    return pads.ParquetFileFormat(
        default_fragment_scan_options=pads.ParquetFragmentScanOptions(
            page_checksum_verification=True
        )
    )


def parquet_of(table: pa.Table) -> partial[None]:
    """Writes the table, with checksums, into the file that it is called with."""
    # Imported late, as above.
    import pyarrow.parquet as pq  # noqa: PLC0415

    return partial(pq.write_table, table, compression="zstd", write_page_checksum=True)
