"""The hostile ways to answer, by class and name; see `hostile_server.py`."""

from collections.abc import Mapping

from hostile_ways.answers import Asked, Way
from hostile_ways.bodies import BODIES
from hostile_ways.connection import CONNECTION, POISON
from hostile_ways.fields import CHOICES, MESSAGE, TOP
from hostile_ways.headers import LIMITS, ODD_HEADERS, WAITS
from hostile_ways.keys import FORMS, KEYS
from hostile_ways.status import REDIRECTS, STATUS
from hostile_ways.usage import USAGE
from hostile_ways.words import WORDS

__all__ = ["CLASSES", "ENDLESS", "FORMS", "POISON", "READ", "WAYS", "Asked", "Way"]

CLASSES: Mapping[str, Mapping[str, Way]] = {
    "redirects": REDIRECTS,
    "status": STATUS,
    "waits": WAITS,
    "limits": LIMITS,
    "headers": ODD_HEADERS,
    "bodies": BODIES,
    "fields": TOP,
    "choices": CHOICES,
    "message": MESSAGE,
    "usage": USAGE,
    "words": WORDS,
    "keys": KEYS,
    "connection": CONNECTION,
}

READ = ("message", "words", "keys")
"""Classes whose words reach the readers of every family."""

ENDLESS = frozenset(
    {
        *("connection-hangs", "connection-hangs-in-head", "connection-hangs-in-body"),
        *("connection-hangs-after-body", "connection-1xx-endless", "connection-slow-body"),
        *("connection-ssh", "connection-http-2", "body-drip", "body-drip-head"),
    }
)
"""Ways that only the caller's patience ends."""

WAYS: Mapping[str, Way] = {name: way for ways in CLASSES.values() for name, way in ways.items()}
