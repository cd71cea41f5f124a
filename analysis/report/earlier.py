"""What an earlier report wrote and a later one does not: a table that is too long for CSV by now, a
figure of conditions that are left out.

A page links every file that was written with it, so that it says what is ours to remove.
"""

import re
from collections.abc import Collection

from pyarrow import fs as pafs

from mirror_ray.records.storage import read_stored_text

_OURS = re.compile(
    r'<a href="(tables/[\w-]{1,200}\.(?:csv|parquet|tex|md)'
    r'|figures/[\w-]{1,200}\.(?:svg|png|pdf))">'
)
"""As the page's template writes it; in texts of others a bracket is escaped."""


def remove_earlier(fs: pafs.FileSystem, root: str, page: str, kept: Collection[str]) -> None:
    """Remove the files of a report's folder that the page there links.

    Args:
        root: the folder; `page` the name of the page in it, which need not be there.
        kept: paths below the folder that are to be replaced, and so stay meanwhile.

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
