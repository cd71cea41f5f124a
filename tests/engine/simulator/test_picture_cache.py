"""The pictures that are kept: which views are one, how much is kept, and which go first."""

import asyncio
import tracemalloc
from collections import OrderedDict
from dataclasses import fields, is_dataclass, replace
from itertools import product
from math import inf, nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Frame, Image, Reply, Request
from mirror_ray.core.view_key import view_key
from mirror_ray.engine.rollout import Asked, DrawnPicture, rollout
from mirror_ray.engine.simulator.picture_cache import ENTRY_BYTES, PictureCache
from mirror_ray.engine.simulator.render_thread import RenderThread
from mirror_ray.records.journal.entry import Entry
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.photo import FileView
from mirror_ray.world.room.view import EyeView
from mirror_ray.world.studio.shots import PosingView
from mirror_ray.world.tabletop.card import CardView
from support.engine.tiny_family import Grey
from support.shard_rows import TIMINGS, assert_same_rows, without

EPISODES = {
    "selfid": (("E1", "E3", "E4"), ("observer", "gullible", "mute"), (("max_steps", 3),)),
    "flipset": (
        ("L2", "ToM", "MR", "L1"),
        ("egocentric", "position-biased"),
        (("image", "320x240"),),
    ),
    "mirrorqa": (
        ("sim", "sim-reflected"),
        ("oracle", "viewer-frame"),
        (("circular", True), ("image", "320x240")),
    ),
}
"""Family → conditions, agents and axes of the episodes played here."""


def changed(value: Any) -> Any:
    """The least other value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case float():
            return nextafter(value, inf)
        case str():
            return value + "x"
        case bytes():
            return value + b"x"
        case None:
            return ""
        case _:
            raise AssertionError(f"a view holds {type(value).__name__}")


def variants(value: Any) -> list[Any]:
    """The value with one of its leaves changed, or one item of a tuple left out: each such."""
    if isinstance(value, tuple):
        shorter = [value[:i] + value[i + 1 :] for i in range(len(value))]
        others = [
            (*value[:i], other, *value[i + 1 :])
            for i, item in enumerate(value)
            for other in variants(item)
        ]
        return shorter + others
    if not is_dataclass(value) or isinstance(value, type):
        return [changed(value)]
    return [
        replace(value, **{field.name: other})
        for field in fields(value)
        for other in variants(getattr(value, field.name))
    ]


views = st.one_of(*(st.from_type(kind) for kind in (EyeView, FileView, PosingView, CardView)))


@settings(max_examples=20)
@given(views)
def test_views_that_differ_in_any_value_at_any_depth_have_keys_of_their_own(view):
    keys = [view_key(one) for one in (view, *variants(view))]
    assert None not in keys
    # Items of a tuple may be equal: without either it is the same view.
    alike = {repr(one) for one in (view, *variants(view))}
    assert len(set(keys)) == len(alike)


@settings(max_examples=60)
@given(views, views)
def test_equal_views_made_apart_have_one_key_and_others_none_in_common(view, other):
    again = type(view)(**{one.name: getattr(view, one.name) for one in fields(view)})
    assert view_key(again) == view_key(view)
    assert (view_key(view) == view_key(other)) == (
        (type(view), repr(view)) == (type(other), repr(other))
    )


def test_what_python_takes_for_equal_is_told_apart():
    levels = (0, 0.0, -0.0, False, "0", b"0", None, (), ("0",), (("0",),))
    assert len({view_key(Grey(level)) for level in levels}) == len(levels)


@pytest.mark.parametrize("value", [[1], {"a": 1}, np.zeros(2), np.float64(1.0), object()])
def test_a_view_that_holds_what_may_change_has_no_key(value):
    assert view_key(Grey(value)) is None
    cache = PictureCache()
    cache.put(None, picture_of(1))
    assert (cache.get(None), len(cache)) == (None, 0)


@pytest.mark.parametrize("family", EPISODES)
def test_every_view_that_a_family_shows_has_a_key(family):
    for spec in specs_of(family):
        ask = next(FAMILIES[family].play(spec, spec.rng()))
        assert ask.views
        assert None not in map(view_key, ask.views)


def picture_of(n_bytes: int, **facts: Any) -> DrawnPicture:
    return DrawnPicture(Image(bytes(n_bytes), "png", 1, 1, "0" * 64), facts)


@given(
    max_bytes=st.integers(0, 12_000),
    steps=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6_000)), max_size=60),
)
def test_what_is_kept_fits_and_the_longest_unseen_goes_first(max_bytes, steps):
    cache = PictureCache(max_bytes)
    model: OrderedDict[bytes, int] = OrderedDict()
    overhead = ENTRY_BYTES + 5  # an empty dictionary, pickled
    for name, n_bytes in steps:
        key = bytes([name])
        found = cache.get(key)
        assert (found is None) == (key not in model)
        if found is not None:
            assert len(found.image.data) == model[key] - overhead
            model.move_to_end(key)
            continue
        cache.put(key, picture_of(n_bytes))
        if n_bytes + overhead <= max_bytes:
            model[key] = n_bytes + overhead
            while sum(model.values()) > max_bytes:
                model.popitem(last=False)
        assert (len(cache), cache.n_bytes) == (len(model), sum(model.values()))
        assert cache.n_bytes <= max_bytes


def test_the_bound_covers_what_python_takes_for_a_picture():
    facts = {f"column_{place}_px": [1_000_000 + place, 2.5, None] for place in range(12)}
    cache = PictureCache()
    tracemalloc.start()
    try:
        for place in range(500):
            made = encode(np.full((2, 2, 3), place % 256, np.uint8), "png")
            cache.put(view_key(Grey(place)), DrawnPicture(made, facts))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(cache) == 500
    assert taken <= cache.n_bytes


def test_an_episode_that_changes_its_facts_changes_no_others():
    cache = PictureCache()
    cache.put(b"k", picture_of(1, cube_px=[1, 2]))
    cache.get(b"k").facts["cube_px"].append(3)
    assert cache.get(b"k").facts == {"cube_px": [1, 2]}


class Painter:
    def draw(self, view: Grey) -> Frame:
        return Frame(np.full((2, 3, 3), view.level, np.uint8), {"level": view.level})


async def test_views_asked_for_together_are_drawn_once_and_counted():
    thread = RenderThread(Painter, encode, limit_s=20.0, on_hang=print)
    await thread.open()
    asked = [1, 2, 1, 1, 2]
    pictures = await asyncio.gather(*(thread.draw(Grey(level)) for level in asked))
    assert [picture.facts["level"] for picture in pictures] == asked
    drawing = thread.stats()
    assert (drawing.pictures, drawing.reused) == (2, 3)


async def test_the_encoding_is_part_of_a_view():
    thread = RenderThread(Painter, encode, limit_s=20.0, on_hang=print)
    await thread.open()
    png, jpeg = [await thread.draw(Grey(1, encoding)) for encoding in ("png", "jpeg")]
    assert (png.image.encoding, jpeg.image.encoding) == ("png", "jpeg")
    assert png.image.data != jpeg.image.data


def specs_of(family: str) -> list[EpisodeSpec]:
    conditions, agents, axes = EPISODES[family]
    cells = [
        Cell(family, condition, (("subject", f"scripted/{agent}"),), 0.0, "paper", axes)
        for condition, agent in product(conditions, agents)
    ]
    return [EpisodeSpec(cell, seed, 0) for seed, cell in product(range(2), cells)]


async def answered(request: Request, asked: Asked) -> Entry:
    agent = request.model.removeprefix("scripted/")
    images = [image.data for image in request.images]
    prompt = prompt_for(agent, request.system, request.user, images, request.truth)
    return asked.answered(request, Reply(AGENTS[agent](prompt)))


@pytest.mark.parametrize(
    "family",
    [
        "selfid",
        *(
            pytest.param(name, marks=pytest.mark.thorough("selfid's, which keep the most"))
            for name in EPISODES
            if name != "selfid"
        ),
    ],
)
async def test_rows_are_the_same_whatever_is_kept(family):
    """Without a cache, with one that holds a picture or two, and with the usual one."""
    from mirror_ray.world.renderer import Renderer

    rows, drawn = [], []
    for max_bytes in (0, 20_000, None):
        thread = RenderThread(
            Renderer, encode, limit_s=60.0, on_hang=print, cache=PictureCache(max_bytes)
        )
        await thread.open()
        played = await asyncio.gather(
            *(
                rollout(
                    FAMILIES[family], spec, sweep="s", prefix=(), draw=thread.draw, ask=answered
                )
                for spec in specs_of(family)
            )
        )
        await thread._on_thread(thread._renderer.close)
        steps = [step for one in played for step in one.steps]
        rows.append(without([*steps, *(one.episode for one in played)], TIMINGS))
        drawn.append(thread.stats().pictures)
        assert thread.stats().pictures + thread.stats().reused == len(steps)
    assert all(row["frame_sha"] for row in rows[0] if "frame_sha" in row)
    assert {row["error_kind"] for row in rows[0]} == {"none"}
    for other in rows[1:]:
        assert_same_rows(other, rows[0])
    assert drawn[0] > drawn[2]
