"""A hundred scenes of selfid are the same, by the hashes of frames and prompts, in a recorded run,
in Inspect, in Gymnasium and in verifiers."""

import asyncio
import base64
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mirror_ray.core.types import Reply
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.world.opengl.encode import encode
from sim_assets.colors import COLOR_NAMES
from support.recorded_run import plan_for, record_run

pytestmark = pytest.mark.thorough(
    "families/selfid/test_selfid_env.py and integrations/test_inspect_task.py, a few scenes each"
)

SCENES = 100
SETTINGS = {"image": "320x240", "max_steps": 2}
MOVE = "d"
COLOR = COLOR_NAMES[0]
ENVIRONMENT = Path(__file__).parents[2] / "examples" / "verifiers_environment"

Hashes = frozenset[tuple[str, str]]
"""Of each request's frame, and of its prompt."""


def says(action: str) -> str:
    """What Gymnasium's environment lets the generator read; the next prompt repeats the summary."""
    is_end = action == "done"
    return json.dumps(
        {
            "view-description": "",
            "reasoning": "",
            "action": action,
            "summary": f"took action {action}",
            "identification": COLOR if is_end else "unknown",
            "selected_cube": COLOR if is_end else "none",
        }
    )


def hashed(system: str, user: str, frame_sha: str) -> tuple[str, str]:
    return frame_sha, sha256(f"{system}\n{user}".encode()).hexdigest()


def pixels_of(url: str) -> str:
    """The hash of the pixels of a data URL's picture."""
    sent = Image.open(BytesIO(base64.b64decode(url.partition("base64,")[2])))
    return sha256(sent.convert("RGB").tobytes()).hexdigest()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, renderer: Any) -> Hashes:
    """What the engine recorded: a turn, then the end."""
    out = tmp_path_factory.mktemp("run") / "out"
    plan = plan_for(out, **{"seeds": SCENES, "runs": 1, **SETTINGS})

    async def draw(view: Any) -> DrawnPicture:
        frame = renderer.draw(view)
        return DrawnPicture(encode(frame.rgb, view.encoding), dict(frame.facts))

    record_run(plan, lambda ask: Reply(says(MOVE if ask.ask_index == 1 else "done")), draw=draw)
    steps = sealed_columns(str(out), "steps", ("system", "user", "frame_sha")).to_pylist()
    assert len(steps) == 2 * SCENES
    return frozenset(hashed(row["system"], row["user"], row["frame_sha"]) for row in steps)


def in_gymnasium(_: Path) -> Iterator[tuple[str, str]]:
    gymnasium = pytest.importorskip("gymnasium")
    from mirror_ray.families.selfid.gym_environment import GYM_MOVES
    from mirror_ray.integrations.gym import register

    register()
    env = gymnasium.make("mirror_ray/SelfID-E1-v0", **SETTINGS)
    for scene in range(SCENES):
        seen, info = env.reset(seed=scene)
        yield hashed(info["system"], seen["text"], info["frame_sha"])
        seen, _, _, _, info = env.step(GYM_MOVES.index(MOVE))
        yield hashed(info["system"], seen["text"], info["frame_sha"])
    env.close()


def in_inspect(folder: Path) -> Iterator[tuple[str, str]]:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from mirror_ray.integrations.inspect_task import selfid

    sent: list[tuple[str, str]] = []

    def answer(messages: list[Any], *_: Any) -> Any:
        system, user = messages
        (picture,) = (part for part in user.content if part.type == "image")
        sent.append(hashed(system.text, user.text, pixels_of(picture.image)))
        text = says(MOVE if len(sent) % 2 else "done")
        output = ModelOutput.from_content("mockllm/model", text)
        # Else Inspect counts them, with a vocabulary that it would download.
        output.usage = ModelUsage(input_tokens=9, output_tokens=9, total_tokens=18)
        return output

    (log,) = inspect_ai.eval(
        selfid(seeds=SCENES, runs=1, **SETTINGS),
        model=get_model("mockllm/model", custom_outputs=answer),
        log_dir=str(folder),
        max_samples=1,
        display="none",
    )
    assert log.status == "success", log.error
    return iter(sent)


def in_verifiers(_: Path) -> Iterator[tuple[str, str]]:
    vf = pytest.importorskip("verifiers.v1", reason="verifiers is not installed here")
    from aiohttp import web

    sys.path.insert(0, str(ENVIRONMENT))
    from mirror_selfid import RoomsEnv, RoomsEnvConfig

    sent: list[tuple[str, str]] = []

    async def complete(request: web.Request) -> web.Response:
        body = await request.json()
        system, user = body["messages"]
        text, picture = user["content"]
        url = picture["image_url"]["url"]
        sent.append(hashed(system["content"], text["text"], pixels_of(url)))
        message = {"role": "assistant", "content": says(MOVE if len(sent) % 2 else "done")}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        used = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        about = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
        return web.json_response({**about, "choices": [choice], "usage": used})

    async def play() -> None:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", complete)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        url = f"http://127.0.0.1:{port}/v1"
        config = RoomsEnvConfig(
            taskset={"id": "mirror_selfid", "seeds": SCENES, "runs": 1, **SETTINGS},
            interception={"type": "server"},
        )
        env = RoomsEnv(config)
        ctx = vf.ModelContext(
            model="m",
            client=vf.EvalClientConfig(base_url=url, api_key_var="HOME"),
            sampling=vf.SamplingConfig(),
        )
        async with env.serving():
            for task in env.taskset:
                (slot,) = env.slots(task)
                episode = await env.run_slot(slot, ctx)
                assert episode.ok, [one.errors for one in episode.traces]
        await runner.cleanup()

    asyncio.run(play())
    return iter(sent)


HUBS: Mapping[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    "Gymnasium": in_gymnasium,
    "Inspect": in_inspect,
    "verifiers": in_verifiers,
}


@pytest.mark.parametrize("hub", HUBS)
def test_a_hub_shows_what_the_engine_records(hub: str, recorded: Hashes, tmp_path: Path) -> None:
    shown = list(HUBS[hub](tmp_path))
    assert len(shown) == 2 * SCENES
    assert frozenset(shown) == recorded
