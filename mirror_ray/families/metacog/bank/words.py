"""Words that generated questions share, and the type of what generates one."""

from collections.abc import Callable
from typing import TypeAlias

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft

Template: TypeAlias = Callable[[Draws, int], Draft]
"""From the parts drawn and the level (0 easy, 1 medium, 2 hard) to a question with its key."""

NAMES = (
    "Amara", "Ben", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hassan", "Ines", "Jonas",
    "Keiko", "Liam", "Marta", "Nikhil", "Olga", "Pablo", "Quentin", "Rosa", "Samir", "Tara",
    "Ulrich", "Vera", "Wanda", "Ximena", "Yusuf", "Zoe", "Anton", "Bianca", "Cyril", "Dalia",
    "Emil", "Fatima", "Gustav", "Hana", "Ivan", "Judith", "Kofi", "Leila", "Milan", "Nadia",
)  # fmt: skip

WOMEN = (
    "Amara", "Carla", "Elena", "Greta", "Ines", "Keiko", "Marta", "Olga", "Rosa", "Tara", "Vera",
    "Wanda", "Ximena", "Zoe", "Bianca", "Dalia", "Fatima", "Hana", "Judith", "Leila", "Nadia",
)  # fmt: skip

THINGS = (
    "lamp", "vase", "clock", "radio", "basket", "kettle", "globe", "teapot", "candle", "camera",
    "picture", "jar", "drum", "trophy", "violin", "statue", "suitcase", "helmet", "mug", "bell",
)  # fmt: skip

JOBS = (
    "baker", "nurse", "pilot", "farmer", "judge", "sailor", "painter", "tailor", "dentist",
    "librarian", "plumber", "singer", "gardener", "chemist", "carpenter", "waiter", "lawyer",
    "mechanic", "florist", "guard",
)  # fmt: skip

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
