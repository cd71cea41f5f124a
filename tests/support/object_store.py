"""An object store on loopback: a real S3 API, reached over HTTP as the real one is."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("s3_server.py")
SECRET = "not-to-be-shown"  # noqa: S105


@dataclass(frozen=True, slots=True)
class ObjectStore:
    port: int

    @property
    def env(self) -> Mapping[str, str]:
        """What a process needs to reach it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }

    def client(self, service: str = "s3") -> Any:
        import boto3  # with moto; slow to import

        return boto3.client(
            service,
            endpoint_url=self.env["AWS_ENDPOINT_URL"],
            aws_access_key_id="testing",
            aws_secret_access_key=SECRET,
            region_name="us-east-1",
        )

    def make_bucket(self, name: str) -> str:
        self.client().create_bucket(Bucket=name)
        return f"s3://{name}"

    def keys(self, address: str) -> list[str]:
        """Names of all objects below an address, relative to it, without folder marks."""
        bucket, _, prefix = address.removeprefix("s3://").partition("/")
        pages = (
            self.client()
            .get_paginator("list_objects_v2")
            .paginate(Bucket=bucket, Prefix=f"{prefix}/")
        )
        names = [one["Key"] for page in pages for one in page.get("Contents", ())]
        return sorted(name.removeprefix(f"{prefix}/") for name in names if name[-1] != "/")

    def read(self, address: str) -> str:
        bucket, _, key = address.removeprefix("s3://").partition("/")
        return self.client().get_object(Bucket=bucket, Key=key)["Body"].read().decode()


@contextmanager
def object_store(*arguments: str) -> Iterator[ObjectStore]:
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield ObjectStore(int(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(30)
