"""Which environment variables and packages are missed, and that their values are never told."""

from dataclasses import replace

import pytest

from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.credentials import missing_env, missing_keys, missing_packages, wanted_env
from mirror_ray.providers.model import Limits, Model

MODEL = Model("m", "hosted", "openai/m", Limits("m"))
CLOUD = replace(MODEL, needs_env=(("ID", "SECRET"), ("PROFILE",)))


@pytest.mark.parametrize(
    ("environ", "missing"), [({}, ("KEY",)), ({"KEY": ""}, ("KEY",)), ({"KEY": "set"}, ())]
)
def test_a_key(environ, missing):
    assert missing_env(replace(MODEL, api_key_env="KEY"), environ) == missing


@pytest.mark.parametrize(
    ("environ", "missing"),
    [
        ({}, ("PROFILE",)),
        ({"ID": "x"}, ("SECRET",)),
        ({"ID": "x", "SECRET": "y"}, ()),
        ({"PROFILE": "x"}, ()),
        ({"ID": "x", "PROFILE": "y"}, ()),
    ],
)
def test_any_one_set_of_credentials_is_enough(environ, missing):
    assert missing_env(CLOUD, environ) == missing


def test_of_sets_that_lack_as_much_the_first_is_asked_for():
    model = replace(MODEL, needs_env=(("A", "B"), ("C", "D")))
    assert missing_env(model, {}) == ("A", "B")
    assert missing_env(model, {"D": "x"}) == ("C",)


def test_a_key_and_a_set_are_both_wanted():
    model = replace(CLOUD, api_key_env="KEY")
    assert wanted_env(model, {}) == ("KEY", "PROFILE")
    assert missing_env(model, {"KEY": "x"}) == ("PROFILE",)


def test_headers_of_the_environment_are_wanted():
    model = replace(CLOUD, api_key_env="KEY", extra_headers_env={"X-Auth-Token": "TOKEN"})
    assert wanted_env(model, {}) == ("KEY", "TOKEN", "PROFILE")
    assert missing_env(model, {"KEY": "x", "PROFILE": "y"}) == ("TOKEN",)
    assert missing_keys(model, {"TOKEN": ""}) == ("KEY", "TOKEN")


def test_agents_want_nothing():
    agent = load_catalogue().resolve("scripted/mute", where="x")
    assert (missing_env(agent, {}), missing_packages(agent)) == ((), ())


def test_packages():
    model = replace(MODEL, needs_packages=("json", "no_such_package", "no_such.part"))
    assert missing_packages(model) == ("no_such_package", "no_such.part")
