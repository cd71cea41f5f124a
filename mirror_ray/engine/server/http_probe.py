"""Small questions to a server over HTTP: is it healthy, and what does it say of itself?"""

from collections.abc import Mapping
from typing import Any

import aiohttp

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import one_printable_line

_MOST_BYTES = 4 * 2**20
_HEALTHY = 200


class HttpProbe:
    """Queries one server at `url`; used on one event loop."""

    def __init__(self, url: str) -> None:
        self._url = url
        # Nothing is unpacked: a few bytes may expand to gigabytes.
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={"Accept-Encoding": "identity"},
        )

    async def is_healthy(self, path: str, within_s: float) -> bool:
        """Whether it answers with 200 in time."""
        timeout = aiohttp.ClientTimeout(total=within_s)
        try:
            async with self._session.get(
                self._url + path, timeout=timeout, allow_redirects=False
            ) as response:
                return response.status == _HEALTHY
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return False

    async def read(self, path: str, within_s: float = 5.0) -> dict[str, Any]:
        """The JSON object that it answers with, up to 4 MiB; {} for anything else."""
        timeout = aiohttp.ClientTimeout(total=within_s)
        try:
            async with self._session.get(
                self._url + path, timeout=timeout, allow_redirects=False
            ) as response:
                if response.status != _HEALTHY:
                    return {}
                body = bytearray()
                async for part in response.content.iter_any():
                    body += part
                    if len(body) > _MOST_BYTES:
                        return {}
                return object_of(body.decode("utf-8", "replace"))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return {}

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._session.close()


def object_of(text: str) -> dict[str, Any]:
    """The JSON object that a text is; {} for any other text."""
    try:
        data = parse_json(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def text_at(data: Mapping[str, Any], key: str, most: int = 200) -> str | None:
    """A field of an object, if it is a text; printable."""
    value = data.get(key)
    return one_printable_line(value, most) if isinstance(value, str) and value else None
