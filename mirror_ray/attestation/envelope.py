"""A signed statement in a DSSE envelope, and the ed25519 key that signs it."""

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from mirror_ray.core.bounded_files import read_bounded
from mirror_ray.core.errors import RunDirError, SweepError, UnfitError
from mirror_ray.core.plain_json import parse_json

_TYPE = "application/vnd.in-toto+json"
_MOST_KEY_BYTES = 10_000
_MOST_SEAL_BYTES = 256 * 2**20


def default_key() -> Path:
    """Return the path of this user's signing key."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return config / "mirror-ray" / "seal_key.pem"


def signing_key(path: Path) -> Ed25519PrivateKey:
    """Read the private key at `path`, or create it, readable by this user alone. Raise SweepError
    if the file is not an unencrypted ed25519 key in PEM."""
    if not path.exists():
        key = Ed25519PrivateKey.generate()
        text = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(text)
        return key
    try:
        found = serialization.load_pem_private_key(read_bounded(path, _MOST_KEY_BYTES), None)
    except (UnfitError, ValueError, TypeError, UnsupportedAlgorithm):
        # The reason of the error may quote the file.
        found = None
    if isinstance(found, Ed25519PrivateKey):
        return found
    raise SweepError(
        "command line: --key",
        str(path),
        "an unencrypted ed25519 private key in PEM, readable by you",
        "openssl genpkey -algorithm ed25519 -out KEY.pem, or name a new file",
    )


def public_hex(key: Ed25519PrivateKey) -> str:
    """Return the public key as 64 hexadecimal digits."""
    return key.public_key().public_bytes_raw().hex()


def key_id(public: str) -> str:
    """Return the fingerprint of a public key."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def write_envelope(statement: Mapping[str, Any], key: Ed25519PrivateKey) -> str:
    """Return the signed envelope as text."""
    payload = json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()
    public = public_hex(key)
    signature = {
        "keyid": key_id(public),
        "public_key": public,
        "sig": b64encode(key.sign(_signed(payload))).decode(),
    }
    envelope = {
        "payloadType": _TYPE,
        "payload": b64encode(payload).decode(),
        "signatures": [signature],
    }
    return json.dumps(envelope, indent=1) + "\n"


def read_envelope(path: Path) -> tuple[dict[str, Any], str]:
    """Return the statement and the public key that signed it, after verifying the signature. Raise
    RunDirError if the file is not a seal, or its signature does not match."""
    try:
        envelope = parse_json(read_bounded(path, _MOST_SEAL_BYTES))
        (signature,) = envelope["signatures"]
        public = bytes.fromhex(signature["public_key"])
        payload = b64decode(envelope["payload"], validate=True)
        if envelope["payloadType"] != _TYPE or signature["keyid"] != key_id(public.hex()):
            raise ValueError("its type or key id is wrong")
        key = Ed25519PublicKey.from_public_bytes(public)
        key.verify(b64decode(signature["sig"], validate=True), _signed(payload))
        statement = parse_json(payload)
        if not isinstance(statement, dict):
            raise TypeError("its statement is not an object")
    except InvalidSignature as error:
        raise _unusable(path, "a signature that does not match the content") from error
    except UnfitError as error:
        raise _unusable(path, error.got) from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _unusable(path, f"not a seal: {type(error).__name__}: {error}") from error
    return statement, public.hex()


def _signed(payload: bytes) -> bytes:
    return b"DSSEv1 %d %s %d %s" % (len(_TYPE), _TYPE.encode(), len(payload), payload)


def _unusable(path: Path, got: str) -> RunDirError:
    return RunDirError(
        str(path), got, "a file written by mirror-ray seal", "get the seal again from its author"
    )
