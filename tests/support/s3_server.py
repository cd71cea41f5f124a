"""An S3 API server on loopback; prints its port, and ends when its input does.

    python s3_server.py [--many PREFIX N] [--unconditional]

With `--many` the bucket ``many`` holds N empty objects from the start: PREFIX000001 and so on.
With `--unconditional` it ignores If-None-Match, as some stores do.
"""

import argparse
import logging
import sys

from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, ThreadedMotoServer


def fill(prefix: str, number: int) -> None:
    backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    backend.create_bucket("many", "us-east-1")
    for index in range(1, number + 1):
        backend.put_object("many", f"{prefix}{index:06d}.parquet", b"")


def ignore_conditions() -> None:
    answer = DomainDispatcherApplication.__call__

    def without_condition(self, environ, start_response):
        environ.pop("HTTP_IF_NONE_MATCH", None)
        return answer(self, environ, start_response)

    DomainDispatcherApplication.__call__ = without_condition


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--many", nargs=2, metavar=("PREFIX", "N"))
    parser.add_argument("--unconditional", action="store_true")
    arguments = parser.parse_args()
    many = arguments.many
    if arguments.unconditional:
        ignore_conditions()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    if many:
        fill(many[0], int(many[1]))
    _, port = server.get_host_and_port()
    print(port, flush=True)
    sys.stdin.read()
    server.stop()
