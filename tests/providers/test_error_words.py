"""Errors in their own words."""

import pytest

from mirror_ray.providers.failed_call import error_words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "litellm.InternalServerError: InternalServerError: VllmException - Cannot connect"
            " to host x:1 ssl:<ssl.SSLContext object at 0x7f3a10> [refused]",
            "E: Cannot connect to host x:1 [refused]",
        ),
        (
            "Cannot connect to host x:1 ssl:default [Connect call failed ('127.0.0.1', 9)]",
            "E: Cannot connect to host x:1 [Connect call failed ('127.0.0.1', 9)]",
        ),
        ("litellm.Timeout: Connection timed out", "E: litellm.Timeout: Connection timed out"),
        ("Error code: 400 - {'error': 'x'}", "E: Error code: 400 - {'error': 'x'}"),
        ("ValueError: ", "E: "),
        ("", "E: "),
        ("a" * 1_000 + "Error: b", "E: " + "a" * 1_000 + "Error: b"),
    ],
)
def test_layers_are_left_out_and_words_stay(said, words):
    assert error_words("E", said) == words
