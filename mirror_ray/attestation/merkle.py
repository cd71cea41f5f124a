"""The root of a Merkle tree, as RFC 6962 defines it."""

from collections.abc import Sequence
from hashlib import sha256


def leaf_hash(content: bytes) -> bytes:
    """Return the hash of one leaf."""
    return sha256(b"\0" + content).digest()


def merkle_root(leaves: Sequence[bytes]) -> str:
    """Return the root over hashed leaves in their order, in hexadecimal."""
    level = list(leaves) or [sha256(b"").digest()]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        # An odd last node moves up unchanged, which gives the tree that RFC 6962 splits at powers
        # of two.
        odd = level[-1:] if len(level) % 2 else []
        level = [sha256(b"\1" + left + right).digest() for left, right in pairs] + odd
    return level[0].hex()
