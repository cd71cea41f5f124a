"""How the pretended providers are served: until they are ended."""

import asyncio

from aiohttp import web


async def serve(port: int, runner: web.AppRunner, host: str = "127.0.0.1") -> None:
    """Prints the port on the first line; 0 takes a free one."""
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    print(runner.addresses[0][1], flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def runner_of(app: web.Application) -> web.AppRunner:
    """Without a log, and without waiting for those who still ask when it ends."""
    return web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
