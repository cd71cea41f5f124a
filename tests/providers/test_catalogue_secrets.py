"""No secret gets into a catalogue, and none that was refused is shown."""

import traceback

import pytest
import yaml

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.catalogue_secrets import HEADERS, is_variable

HIDDEN = "zq8-Hidden-w0rd"
"""Looks like no key: only where it stands says what it is."""
KEYS = (
    "sk-very-secret-1",
    "gsk_0123456789ab",
    "AIzaSyA1234567890",
    "Bearer abc.def",
    "hf_abcdefgh",
)


def refusal_of(written, entry, name="openai/x"):
    with pytest.raises(SweepError) as caught:
        load_catalogue(written(yaml.safe_dump({"models": {name: entry}}, allow_unicode=True)))
    assert all((caught.value.got, caught.value.allowed, caught.value.fix))
    return caught.value


@pytest.mark.parametrize(
    "entry",
    [
        *(
            {"extra": {holder: {name: HIDDEN}}}
            for holder in ("extra_headers", "headers", "default_headers", "Extra_Headers")
            for name in (
                *("X-Auth-Token", "Cookie", "Ocp-Apim-Subscription-Key", "sig", "Authorization"),
                *("api-key", "x-functions-key", "X-Anything", "Proxy-Authorization", "Host", "X-T"),
            )
        ),
        {"extra": {"extra_body": {"headers": {"X-Auth-Token": HIDDEN}}}},
        {"extra": {"extra_headers": [{"X-Auth-Token": HIDDEN}]}},
        {"extra": {"extra_headers": f"X-Auth-Token: {HIDDEN}"}},
        {"extra": {"extra_headers": {"User-Agent": [HIDDEN]}}},
        {"extra": {"extra_query": {"sig": HIDDEN}}},
        {"extra": {"default_query": {"code": HIDDEN}}},
        *(
            {"extra": {name: HIDDEN}}
            for name in (
                *("api_key", "aws_session_token", "aws_secret_access_key", "vertex_credentials"),
                *("azure_ad_token", "client_secret", "password", "auth", "x-token", "signature"),
                *("azure_password", "my-KEY", "cookie", "jwt", "passwd"),
            )
        ),
        {"extra": {"extra_body": {"nested": [{"deep": {"api_key": HIDDEN}}]}}},
        {"extra": {"extra_body": {"url": f"https://u:{HIDDEN}@host/x"}}},
        *(
            {"base_url": address}
            for address in (
                f"http://user:{HIDDEN}@host/v1",
                f"http://{HIDDEN}@host/v1",
                f"http://host/v1?sig={HIDDEN}",
                f"http://host/v1#{HIDDEN}",
                f"http://host/v1;key={HIDDEN}",
                f"http://host:{HIDDEN}/v1",
                f"http://[{HIDDEN}",
                f"http://?{HIDDEN}",
                f"http:///{HIDDEN}",
                f"http://host\\@{HIDDEN}/v1",
                f"ftp://host/{HIDDEN}",
                f"host/v1?sig={HIDDEN}",
                f"http://host/ {HIDDEN}",
            )
        ),
        {"api_key_env": HIDDEN},
        {"needs_env": [HIDDEN]},
        {"needs_env": [["FINE", HIDDEN]]},
        {"extra_headers_env": {"X-Auth-Token": HIDDEN}},
        {"extra_headers_env": HIDDEN},
        {"extra_headers_env": {f"X {HIDDEN}": "MY_TOKEN"}},
        {"extra": HIDDEN},
    ],
)
def test_a_secret_is_refused_and_not_shown(written, entry):
    error = refusal_of(written, entry)
    where, _, _ = str(error).partition("\n")
    assert "models.openai/x" in where
    # A header's name is shown, where its value is asked for by that name.
    assert HIDDEN not in str(error).replace(f"X {HIDDEN}", "")
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "place",
    [
        lambda key: {"api_key_env": key},
        lambda key: {"needs_env": [[key]]},
        lambda key: {"base_url": f"https://host/v1/{key}"},
        lambda key: {"extra": {"user": key}},
        lambda key: {"extra": {"extra_body": {"a": [key]}}},
        lambda key: {"extra": {"extra_headers": {"User-Agent": key}}},
        lambda key: {"extra": {"extra_headers": {key: "x"}}},
        lambda key: {"extra_headers_env": {"X-Auth-Token": key}},
        lambda key: {key: "x"},
        lambda key: {"rpm": key},
    ],
)
def test_what_looks_like_a_key_is_shown_nowhere(written, key, place):
    error = refusal_of(written, place(key))
    shown = str(error) + repr(error) + "".join(traceback.format_exception(error))
    assert key not in shown
    assert key.removeprefix("Bearer ") not in shown


@pytest.mark.parametrize(
    "name",
    [
        *KEYS,
        *("AKIAIOSFODNN7EXAMPLE", "0123456789ABCDEF0123456789ABCDEF", "a1b2c3d4e5f60718"),
        *("mysecretvalue", "MyKey", "ghp_16C7e42F292c6912E7", "KEY-NAME", "", "1KEY", "KEY\n"),
        *("A" * 33, "EYJHBGCIOIJIUZI1NIIS", "D41D8CD98F00B204", "KEY NAME", "É_KEY"),
    ],
)
def test_names_that_are_none(name):
    assert not is_variable(name)


@pytest.mark.parametrize(
    "name",
    [
        *("OPENAI_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "AWS_WEB_IDENTITY_TOKEN_FILE"),
        *("KEY", "KEY_2", "_X", "HOUSE_KEY_2026", "S3_KEY", "TOGETHERAI_API_KEY", "K8S_TOKEN"),
    ],
)
def test_names_that_are_fine(name):
    assert is_variable(name)


def test_harmless_settings_pass(written):
    entry = {
        "target": "openai/x",
        "base_url": "http://[::1]:8000/v1/",
        "api_key_env": "HOUSE_KEY",
        "extra": {
            "extra_headers": dict.fromkeys(HEADERS, "benchmark") | {"X-Title": "mirror"},
            "extra_query": {"api-version": "2026-01-01"},
            "extra_body": {"provider": {"order": ["a/b"]}, "stop_token_ids": [1]},
            "thinking": {"budget_tokens": 100},
            "prompt_cache_key": "benchmark",
            "aws_region_name": "us-east-1",
        },
        "extra_headers_env": {"X-Auth-Token": "HOUSE_TOKEN"},
    }
    path = written(yaml.safe_dump({"models": {"x": entry}}))
    model = load_catalogue(path).resolve("x", "here")
    assert model.extra == entry["extra"]
    assert model.extra_headers_env == {"X-Auth-Token": "HOUSE_TOKEN"}


def test_headers_of_one_address_are_not_sent_to_another(written):
    path = written(
        """
        defaults:
          openai/*: {extra_headers_env: {X-Auth-Token: HOUSE_TOKEN}}
        models:
          openai/gpt-5.1: {base_url: "http://localhost:8001/v1"}
        """
    )
    catalogue = load_catalogue(path)
    assert catalogue.resolve("openai/gpt-5.1", "x").extra_headers_env == {}
    assert "X-Auth-Token" in catalogue.resolve("openai/gpt-5.2", "x").extra_headers_env
