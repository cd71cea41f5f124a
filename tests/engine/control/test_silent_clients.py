"""Connections that send nothing keep nobody from asking."""

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from mirror_ray.engine.control.control_socket import listening

_SILENT = 200


async def test_silent_connections_do_not_block_a_request() -> None:
    async def answers(_request: object, _who: str) -> dict[str, str]:
        return {"state": "plays"}

    # A socket's path is short.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "s"
        async with listening(path, answers):
            silent = [await asyncio.open_unix_connection(path) for _ in range(_SILENT)]
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(b'{"command": "state"}\n')
            said = json.loads(await reader.readline())
            assert said == {"ok": True, "state": "plays"}
            for _, one in [*silent, (reader, writer)]:
                one.close()
