"""The objects of one run's replicated journal in S3: each is created once, never overwritten."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.segment import MOST_SEGMENT_BYTES
from mirror_ray.records.storage import bucket_and_prefix, endpoint, region, run_name

PACKAGE, EXTRA = "boto3", "aws"

_TAKEN, _CONFLICT, _UNKNOWN = 412, 409, (400, 501)
"""Responses to a conditional write: the object exists, is being written, or such writes are
unsupported."""

_PROBE = "conditional"
_CONNECT_S, _SILENCE_S, _ATTEMPTS = 5.0, 30.0, 6
REQUESTS_AT_ONCE = 16
"""Requests that callers may make at the same time."""

_DELETED_AT_ONCE = 1_000
"""Most objects that one request deletes."""


class ReplicaStore:
    """The folder of one run's replica.

    Args:
        place: the address of a folder, which may have replicas of several runs.
        run: the run directory's address.

    Raises:
        RunDirError: the package for S3 is missing.
    """

    def __init__(self, place: str, run: str) -> None:
        if find_spec(PACKAGE) is None:
            raise RunDirError(
                f"journal.replicate: {place}",
                f"no package {PACKAGE!r}",
                f"the packages of the extra {EXTRA!r}",
                f'pip install "mirror-ray[{EXTRA}]"',
            )
        # Imported late: runs without a replica do not need it.
        import boto3  # noqa: PLC0415
        from botocore.config import Config  # noqa: PLC0415

        self._bucket, prefix = bucket_and_prefix(place)
        self._prefix = "/".join(filter(None, (prefix, run_name(run)))) + "/"
        self.address = f"s3://{self._bucket}/{self._prefix}"
        url = endpoint()
        self._s3: Any = boto3.client(
            "s3",
            region_name=region() or ("us-east-1" if url else None),
            endpoint_url=url,
            config=Config(
                connect_timeout=_CONNECT_S,
                read_timeout=_SILENCE_S,
                max_pool_connections=REQUESTS_AT_ONCE,
                retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
                s3={"addressing_style": "path" if url else "auto"},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    def require_conditional_writes(self) -> None:
        """Raise RunDirError if the store does not support conditional writes, or silently ignores
        them. Raise OSError if it cannot be used."""
        # The object is kept, so that later runs need only one request.
        got = "a store that overwrites an object in spite of If-None-Match"
        try:
            if not self.create(_PROBE, b"") or not self.create(_PROBE, uuid4().bytes):
                return
        except _StatusError as error:
            if error.status not in _UNKNOWN:
                raise
            got = f"a store that refuses If-None-Match: {error}"
        raise RunDirError(
            f"journal.replicate: {self.address}",
            got,
            "a store with conditional writes, such as Amazon S3",
            "replicate the journal to another store, or leave journal.replicate out",
        )

    def create(self, name: str, body: bytes) -> bool:
        """Create an object; return False if it exists. Raises OSError if the store cannot be used;
        the object may have been created."""
        for left in reversed(range(_ATTEMPTS)):
            try:
                with self._faults():
                    self._s3.put_object(
                        Bucket=self._bucket, Key=self._prefix + name, Body=body, IfNoneMatch="*"
                    )
            except _StatusError as error:
                if error.status == _TAKEN:
                    return False
                if error.status != _CONFLICT or not left:
                    raise
            else:
                return True
        raise AssertionError

    def write(self, name: str, body: bytes) -> None:
        """Write an object that no other head writes."""
        with self._faults():
            self._s3.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=body)

    def read(self, name: str) -> bytes | None:
        """Return an object's content; None if it does not exist. Raises OSError if the store cannot
        be used, or the object is too large."""
        try:
            with self._faults():
                found = self._s3.get_object(Bucket=self._bucket, Key=self._prefix + name)
                body = bytes(found["Body"].read(MOST_SEGMENT_BYTES + 1))
        except _StatusError as error:
            if error.code == "NoSuchKey":
                return None
            raise
        if len(body) > MOST_SEGMENT_BYTES:
            raise OSError(f"{self.address}{name} has more than {MOST_SEGMENT_BYTES:,} bytes")
        return body

    def names(self) -> list[str]:
        """Return the names of all objects."""
        with self._faults():
            pages = self._s3.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix
            )
            keys = [one["Key"] for page in pages for one in page.get("Contents", ())]
        return [key.removeprefix(self._prefix) for key in keys]

    def delete(self, names: Iterable[str]) -> None:
        """Delete objects."""
        keys = [{"Key": self._prefix + name} for name in names]
        with self._faults():
            for start in range(0, len(keys), _DELETED_AT_ONCE):
                batch = {"Objects": keys[start : start + _DELETED_AT_ONCE], "Quiet": True}
                self._s3.delete_objects(Bucket=self._bucket, Delete=batch)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415

        try:
            yield
        except ClientError as error:
            about = error.response.get("Error", {}), error.response.get("ResponseMetadata", {})
            raise _StatusError(
                str(error), int(about[1].get("HTTPStatusCode") or 0), str(about[0].get("Code"))
            ) from error
        except BotoCoreError as error:
            raise OSError(str(error)) from error


class _StatusError(OSError):
    def __init__(self, words: str, status: int, code: str) -> None:
        super().__init__(words)
        self.status, self.code = status, code
