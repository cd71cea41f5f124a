"""Models' keys reach the processes that ask, and no text."""

from dataclasses import replace

from mirror_ray.providers.credentials import credentials_of
from support.plans import scripted

ENVIRON = {"SOME_API_KEY": "sk-secret", "OTHER": "x"}


def test_only_what_models_are_asked_with_is_carried(monkeypatch):
    model = replace(scripted("blind"), backend="hosted", api_key_env="SOME_API_KEY")
    monkeypatch.setattr("os.environ", environ := {})
    credentials_of([model], ENVIRON).set_here()
    assert environ == {"SOME_API_KEY": "sk-secret"}


def test_no_value_shows():
    model = replace(scripted("blind"), backend="hosted", api_key_env="SOME_API_KEY")
    credentials = credentials_of([model], ENVIRON)
    assert repr(credentials) == "Keys(SOME_API_KEY)"
    assert "sk-secret" not in f"{credentials} {[credentials]!r}"
