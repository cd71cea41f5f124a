"""Removes an earlier report's files that a later one lacks, such as a table too long for CSV.

A page links every file that was written with it, which tells which files are ours to remove.
"""

import re
from collections.abc import Collection

from pyarrow import fs as pafs

from mirror_ray.records.storage import read_stored_text

_OURS = re.compile(
    r'<a href="(tables/[\w-]{1,200}\.(?:csv|parquet|tex|md)'
    r'|figures/[\w-]{1,200}\.(?:svg|png|pdf))">'
)
"""A link as the page's template writes it; in other texts brackets are escaped."""


def remove_earlier(fs: pafs.FileSystem, root: str, page: str, kept: Collection[str]) -> None:
    """Remove the files of a report's folder that its page links.

    Args:
        root: the folder; `page` is the name of the page in it, which may be missing.
        kept: paths below the folder that are about to be replaced and therefore remain.

    Raises:
        OSError: a file cannot be removed.
    """
    try:
        text = read_stored_text(fs, f"{root}/{page}")
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return
    for name in sorted(set(_OURS.findall(text)) - set(kept)):
        path = f"{root}/{name}"
        if fs.get_file_info(path).type == pafs.FileType.File:
            fs.delete_file(path)
