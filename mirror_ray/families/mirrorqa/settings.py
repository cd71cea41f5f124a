"""MirrorQA's axes and options: what a sweep may vary, its data, and their values in an episode."""

from dataclasses import dataclass

from mirror_ray.asking.axes import FrameSettings
from mirror_ray.asking.channel import Channel

MAX_SHOTS = 3


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    shots: int
    circular: bool
    text_only: bool
    dog_options: int
    channel: Channel
