"""What a run's manifest states of its own model servers, for the views.

A manifest is somebody's words: what does not fit is left out.
"""

import json
from collections.abc import Iterable, Mapping

from pyarrow import fs as pafs

from mirror_ray.records.servers import stated_servers, stated_timeline
from mirror_ray.records.storage import read_text

STATED = {"server_facts": stated_servers, "server_timeline": stated_timeline}
"""Variable that the views read → what it lists of a manifest. Each is a JSON list of objects."""

_MANIFEST = "manifest.json"


def stated_servers_of(fs: pafs.FileSystem, root: str) -> dict[str, str | None]:
    """Variable → what it is of all starts of a run; None where nothing is stated, or no manifest
    can be read."""
    try:
        manifest = json.loads(read_text(fs, f"{root}/{_MANIFEST}"))
    except (OSError, ValueError, RecursionError):
        manifest = None
    found = {
        name: read(manifest) if isinstance(manifest, dict) else [] for name, read in STATED.items()
    }
    return {name: json.dumps(stated) if stated else None for name, stated in found.items()}


def joined_servers(stated: Iterable[Mapping[str, str | None]]) -> dict[str, str | None]:
    """Those of several runs, each variable as one list; None where none has any."""
    runs = list(stated)
    found = {
        name: [one for run in runs if (text := run[name]) is not None for one in json.loads(text)]
        for name in STATED
    }
    return {name: json.dumps(listed) if listed else None for name, listed in found.items()}
