"""What a run's manifest states about the model servers it started, for the views.

A manifest comes from outside: facts that do not fit are left out.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from mirror_ray.records.served_models import stated_servers, stated_timeline

STATED = {"server_facts": stated_servers, "server_timeline": stated_timeline}
"""Variable that the views read → the function that lists it from a manifest, as JSON objects."""


def stated_servers_of(manifests: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return variable → what all starts of these runs state; None where they state nothing."""
    runs = list(manifests)
    found = {name: [one for run in runs for one in read(run)] for name, read in STATED.items()}
    return {name: json.dumps(listed) if listed else None for name, listed in found.items()}
