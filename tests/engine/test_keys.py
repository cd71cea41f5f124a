"""Models' keys reach the processes that ask, and no text."""

from dataclasses import replace

from support.plans import scripted

from mirror_ray.engine.keys import keys_of

ENVIRON = {"SOME_API_KEY": "sk-secret", "OTHER": "x"}


def test_only_what_models_are_asked_with_is_carried(monkeypatch):
    model = replace(scripted("blind"), backend="hosted", api_key_env="SOME_API_KEY")
    monkeypatch.setattr("os.environ", environ := {})
    keys_of([model], ENVIRON).set_here()
    assert environ == {"SOME_API_KEY": "sk-secret"}


def test_no_value_shows():
    model = replace(scripted("blind"), backend="hosted", api_key_env="SOME_API_KEY")
    keys = keys_of([model], ENVIRON)
    assert repr(keys) == "Keys(SOME_API_KEY)"
    assert "sk-secret" not in f"{keys} {[keys]!r}"
