"""`mirror-ray people` lets people play episodes in a browser, as models called human/<id>."""

import asyncio
import signal
from argparse import Namespace

from mirror_ray.cli.arguments import with_limit
from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import say
from mirror_ray.people.consent import ConsentText, consent_text
from mirror_ray.people.server import StudyServer
from mirror_ray.people.study import studying
from mirror_ray.providers.persons import PREFIX, require_id
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan


def main(arguments: Namespace) -> int:
    """Serve until it is interrupted."""
    text = consent_text(arguments.consent)
    where = "command line: --person"
    persons = [f"{PREFIX}{require_id(one, where)}" for one in arguments.person]
    plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out, persons=persons)
    if not plan.persons:
        raise SweepError(
            where,
            "nobody",
            "at least one person: pseudonyms, or human/<id> among the sweep's models",
            "e.g. --person p01 --person p02",
        )
    return asyncio.run(_serve(plan, text, arguments))


async def _serve(plan: Plan, text: ConsentText, arguments: Namespace) -> int:
    async with studying(plan, text) as (study, notes):
        for note in notes:
            say(console, note)
        server = StudyServer(study, arguments.port, arguments.host)
        await server.open()
        try:
            if arguments.json:
                print_json({"addresses": server.addresses, "out": plan.sweep.out})
            else:
                for model, address in server.addresses.items():
                    done, planned = study.counts(model)
                    console.print(f"{model} · {done:,} of {planned:,} · {address}", soft_wrap=True)
                say(
                    console,
                    f"Ctrl-C ends it; answers are in {plan.sweep.out} as they come, and the same"
                    " command resumes.",
                )
            await _interrupted()
        finally:
            await server.close()
        return study.exit_code


async def _interrupted() -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked.set)
    await asked.wait()
