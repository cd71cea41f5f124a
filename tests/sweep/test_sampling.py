"""Sample scenes: what the reference agents meet when they really play."""

from collections.abc import Callable
from itertools import product

import pytest

from mirror_ray.core.errors import RenderError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.sweep import sample_pictures, sampling
from mirror_ray.sweep.sampling import Samples, kind_of, sample_scenes

STEPS = 4


def cell(condition: str, model: str, temperature: float | None, image: str) -> Cell:
    axes = (("image", image), ("max_steps", STEPS))
    return Cell("selfid", condition, (("subject", model),), temperature, "paper", axes)


@pytest.fixture(scope="module")
def episodes() -> list[EpisodeSpec]:
    cells = product(("E1", "E5"), ("a/b", "c/d"), (0.0, 1.0), ("320x240",))
    return [EpisodeSpec(cell(*settings), seed, 0) for settings in cells for seed in range(3)]


@pytest.fixture(scope="module")
def samples(episodes: list[EpisodeSpec]) -> Samples:
    return sample_scenes(episodes)


def test_models_and_temperatures_share_a_sample(
    episodes: list[EpisodeSpec], samples: Samples
) -> None:
    assert len({spec.cell for spec in episodes}) == 8
    assert len(samples.by_kind) == 2
    assert {kind_of(spec.cell) for spec in episodes} == set(samples.by_kind)


def test_a_sample_is_what_was_really_asked(samples: Samples) -> None:
    for sample in samples.by_kind.values():
        # Three scenes are all there are, for each of the two agents.
        assert sample.episodes == 6
        assert sample.asks.high == STEPS
        assert 1 <= sample.asks.low <= sample.asks.expected
        assert sample.max_asks == 2 * STEPS
        assert sample.images_px == ((320, 240),)
        # The published prompts alone have over a thousand characters, and memory makes them grow.
        assert 1000 < sample.prompt_chars < sample.longest_chars < 4000
        assert 100 < sample.reply_chars < 2000


def test_the_machine_is_timed_on_real_pictures(samples: Samples) -> None:
    assert samples.trouble is None
    assert samples.drawing_s is not None
    assert samples.drawing_s > 0
    assert samples.thinking_s > 0
    assert samples.image_bytes is not None
    assert samples.image_bytes > 1000


def test_a_driver_that_works_is_probed_once_and_a_broken_one_again(
    episodes: list[EpisodeSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_pictures.probe_driver.cache_clear()
    probes = []

    def broken() -> None:
        probes.append("broken")
        raise RenderError("OpenGL does not work here", "none", fix="install one")

    monkeypatch.setattr(sample_pictures, "self_test", broken)
    assert "OpenGL does not work here" in str(sample_scenes(episodes[:1]).trouble)
    monkeypatch.setattr(sample_pictures, "self_test", lambda: probes.append("works"))
    for _ in range(2):
        assert sample_scenes(episodes[:1]).trouble is None
    assert probes == ["broken", "works"]


def test_the_same_scenes_give_the_same_sample(
    episodes: list[EpisodeSpec], samples: Samples
) -> None:
    assert sample_scenes(episodes).by_kind == samples.by_kind


def test_later_asks_may_show_more_pictures_and_allow_longer_replies() -> None:
    many = (("frames", 4), ("image", "320x240"), ("max_steps", 8))
    seats = (("subject", "m"),)
    frames = EpisodeSpec(Cell("selfid", "E2", seats, 0.2, "paper", many), 0, 0)
    asks = (("channel", "predict"), ("prompting", "cot"))
    forecast = EpisodeSpec(Cell("flipset", "L2", seats, None, "paper", asks), 0, 0)
    samples = sample_scenes([frames, forecast])
    first, second = (samples.by_kind[kind_of(one.cell)] for one in (frames, forecast))
    assert first.images_px == ((320, 240),)
    # 1, 2, 3 and then 4 pictures in up to 8 asks.
    assert 2.5 <= first.pictures.expected <= (1 + 2 + 3 + 5 * 4) / 8
    assert first.pictures.high == 4.0
    assert (second.reply_tokens, second.pictures.expected) == (3072, 1.0)


def test_a_copy_of_the_process_samples_the_same_and_its_crash_is_made_good(
    episodes: list[EpisodeSpec], samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`mirror-ray plan` samples in a copy, for which this process has too many threads."""
    copies: list[str] = []

    def in_fork(compute: Callable[[Callable[[], object]], Samples], _: float) -> Samples | None:
        copies.append("lost" if copies else "found")
        return None if len(copies) > 1 else compute(lambda: None)

    monkeypatch.setattr(sampling, "may_fork", lambda *_: True)
    monkeypatch.setattr(sampling, "computed_in_fork", in_fork)
    for _ in range(2):
        assert sample_scenes(episodes).by_kind == samples.by_kind
    assert copies == ["found", "lost"]
