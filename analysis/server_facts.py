"""What a run's manifest states of its own model servers, for the views.

A manifest is somebody's words: what does not fit is left out.
"""

import json
from collections.abc import Iterable

from pyarrow import fs as pafs

from mirror_ray.records.servers import stated_servers
from mirror_ray.records.storage import read_text

SERVERS = "server_facts"
"""The variable that the views read: a JSON list of objects, each with a model and a fingerprint."""

_MANIFEST = "manifest.json"


def stated_servers_of(fs: pafs.FileSystem, root: str) -> str | None:
    """The servers of all starts of a run; None where none is stated, or no manifest can be read."""
    try:
        manifest = json.loads(read_text(fs, f"{root}/{_MANIFEST}"))
    except (OSError, ValueError, RecursionError):
        return None
    stated = stated_servers(manifest) if isinstance(manifest, dict) else []
    return json.dumps(stated) if stated else None


def joined_servers(stated: Iterable[str | None]) -> str | None:
    """Those of several runs, as one list; None where none has any."""
    joined = [one for text in stated if text is not None for one in json.loads(text)]
    return json.dumps(joined) if joined else None
