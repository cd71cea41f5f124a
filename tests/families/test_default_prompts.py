"""The prompts that families send by default, to the character: conditions, variants and axes."""

import json
from pathlib import Path

import pytest

from mirror_ray.contract.packages import FAMILY_NAMES
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import content_hash
from support.sent_prompts import prompts_of

SENT = Path(__file__).with_name("default_prompts.json")
"""Family → condition and variant label → hash of all that its sample episodes send."""


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_default_prompts_are_unchanged(family: str) -> None:
    sent = {label: content_hash(asks) for label, asks in prompts_of(FAMILIES[family]).items()}
    recorded = json.loads(SENT.read_text(encoding="utf-8"))[family]
    # A new axis or condition adds labels, and changes none.
    assert not [label for label, known in recorded.items() if sent.get(label) != known]
