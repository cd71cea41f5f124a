"""What the Limiter is told of a call before it is made: what is likely, and what is the most."""

from dataclasses import replace
from math import ceil

import pytest

from mirror_ray.core.types import Image, Request
from mirror_ray.engine.provider.calls import call_of, is_limited
from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.ranges import CHARS_PER_TOKEN

PICTURE = Image(b"", "png", 640, 480, "")
REQUEST = Request(
    "episode", 2, "cell", "m", "s" * 700, "u" * 1400, (PICTURE, PICTURE), None, 0.2, 1000
)
MODEL = Model(
    name="m",
    backend="hosted",
    target="maker/unknown-to-all",
    limits=Limits("key"),
    usd_per_mtok_in=2.0,
    usd_per_mtok_out=10.0,
    timeout_s=45.0,
)


def test_the_worst_case_is_the_dearest_reading_of_every_part() -> None:
    pictures = image_tokens(MODEL, 640, 480)
    assert pictures.at_most > pictures.typical, "the maker is unknown"
    call = call_of(MODEL, REQUEST)
    most_in = ceil(2100 / CHARS_PER_TOKEN.low) + 2 * pictures.at_most
    assert call.worst_case_usd == pytest.approx((most_in * 2.0 + 1000 * 10.0) / 1e6)
    assert call.tokens == ceil(2100 / CHARS_PER_TOKEN.expected) + 2 * pictures.typical + 1000
    assert (call.key, call.model, call.cell_id) == ("key", "m", "cell")
    assert (call.episode_id, call.ask_index, call.lasts_at_most_s) == ("episode", 2, 45.0)


def test_a_catalogues_own_bounds_come_first() -> None:
    own = replace(MODEL, tokens_per_image=50, max_tokens=20)
    most_in = ceil(2100 / CHARS_PER_TOKEN.low) + 2 * 50
    assert call_of(own, REQUEST).worst_case_usd == pytest.approx((most_in * 2.0 + 200.0) / 1e6)


def test_without_a_price_no_worst_case_is_known_and_an_agent_costs_nothing() -> None:
    assert call_of(replace(MODEL, usd_per_mtok_out=None), REQUEST).worst_case_usd is None
    agent = replace(MODEL, backend="scripted", usd_per_mtok_in=None)
    assert call_of(agent, REQUEST).worst_case_usd == 0.0
    assert is_limited(MODEL)
    assert not is_limited(agent)
    assert is_limited(replace(agent, limits=Limits("key", rpm=60)))
