"""The provider's own words are found wherever it puts them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.providers.body_words import base_resp_status, body_words

RAW = json.dumps({"error": {"message": "image too large", "type": "invalid"}})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "no", "code": "x", "param": "seed"}}, "no (x, seed)"),
        ({"error": {"message": "no x", "code": "x", "type": None}}, "no x"),
        ({"error": "bad key"}, "bad key"),
        ({"detail": "Not Found"}, "Not Found"),
        (
            {"detail": [{"loc": ["body", "seed"], "msg": "not an int", "type": "int"}]},
            "body.seed: not an int",
        ),
        ({"message": "flat", "status": 400}, "flat (400)"),
        ({"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}},
         "insufficient balance (1008)"),
        (
            {"error": {"message": "Provider returned error", "code": 400,
                       "metadata": {"raw": RAW, "provider_name": "Novita"}}},
            "Provider returned error (400) [Novita: image too large (invalid)]",
        ),
        (
            {"error": {"message": "Provider returned error", "metadata": {"raw": "a plain text"}}},
            "Provider returned error [behind it: a plain text]",
        ),
        (
            {"error": {"message": "Failed to generate JSON", "failed_generation": "I walk"}},
            "Failed to generate JSON; the model had written: I walk",
        ),
        ([{"error": {"message": "Google's list", "status": "INVALID"}}], "Google's list (INVALID)"),
        ({"errors": [{"message": "first"}, {"message": "second"}]}, "first; second"),
        ({"error": {"message": {"a": 1}}}, None),
        ({"error": {"message": {"text": "nested"}}}, "nested"),
        ({"error": {"message": '{"error": {"message": "in a text"}}'}}, "in a text"),
        ({"fault": {"faultstring": "gateway"}}, "gateway"),
        ({"Message": "capital"}, "capital"),
        ({"Response": {"Error": {"Code": "AuthFailure", "Message": "no"}}}, "no (AuthFailure)"),
        ({"error": "invalid_request", "error_description": "why"}, "why (invalid_request)"),
        ({"status": "error", "data": {"message": "inside"}}, "inside (error)"),
        ({"reason": "because"}, "because"),
        ("<html><title>502 Bad Gateway</title></html>", "502 Bad Gateway"),
        ("<Error><Code>A</Code><Message>denied</Message></Error>", "denied"),
        ({"error": {}}, None),
        ({}, None),
        ("<html>502</html>", "<html>502</html>"),
        ("{broken", "{broken"),
        ("", None),
        (7, None),
    ],
)  # fmt: skip
def test_words_of_a_body(body, words):
    assert body_words(body) == words
    if isinstance(body, (dict, list)):
        assert body_words(json.dumps(body)) == words


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5)
    | st.dictionaries(
        st.sampled_from(
            ["error", "errors", "message", "detail", "metadata", "raw", "code", "loc", "base_resp",
             "failed_generation", "status_msg", "provider_name", "response"]
        ),
        inner,
        max_size=6,
    ),
    max_leaves=40,
)  # fmt: skip


@given(NESTED)
def test_whatever_a_body_holds_its_words_are_bounded(body):
    words = body_words(body)
    assert words is None or 0 < len(words) < 20_000
    if isinstance(body, dict):
        status = base_resp_status(body)
        assert status is None or 400 <= status <= 599


@pytest.mark.parametrize(
    ("code", "status"),
    [(0, None), (1008, 402), (1002, 429), (1004, 401), (9999, 500), (True, None), ("1008", None)],
)
def test_a_failure_that_is_sent_as_a_success_has_a_status(code, status):
    assert base_resp_status({"base_resp": {"status_code": code}}) == status
