"""What is said about a bad catalogue file, or a name that nobody serves."""

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("openai/gpt-5.1x/", "did you mean openai/gpt-5.1?"),
        ("gpt-5.1", "litellm name that begins with one of anthropic/"),
        ("openia/gpt-5.1", "did you mean openai/gpt-5.1?"),
        ("llamafile/foo", "add an entry with target and base_url"),
        ("scripted/observe", "did you mean 'observer'?"),
        ("openai/", "'openai/'"),
        ("", "''"),
    ],
)
def test_names_that_nobody_serves(name, said):
    with pytest.raises(SweepError) as caught:
        load_catalogue().resolve(name, where="sweep.yaml: models.0")
    assert caught.value.where == "sweep.yaml: models.0"
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("models: {a/b: {rpn: 3}}", "models.a/b.rpn", "did you mean 'rpm'?"),
        ("model: {}", "model", "did you mean 'models'?"),
        (
            "models: {openai/x: {rpm: fast}}",
            "models.openai/x.rpm",
            "a number\n  fix:     correct it, e.g. rpm: 60",
        ),
        ("models: {openai/x: {rpm: -1}}", "models.openai/x.rpm", "a number above 0"),
        ("models: {openai/x: {rpm: .nan}}", "models.openai/x.rpm", "nan"),
        ("models: {openai/x: {rpd: 0}}", "models.openai/x.rpd", "a number above 0"),
        ("models: {openai/x: {day_zone: PST9}}", "models.openai/x.day_zone", "America/Los_Angeles"),
        ("models: {openai/x: {window: hour}}", "models.openai/x.window", "'bucket' or 'minute'"),
        ("models: {openai/x: {needs_env: [sk-1]}}", "models.openai/x.needs_env", "capitals"),
        ("models: {openai/x: {max_tokens_name: n}}", "max_tokens_name", "max_completion_tokens"),
        ("models: {openai/x: {vision: null}}", "models.openai/x.vision", "true or false"),
        ("models: {openai/x: {extra: {seed: 7}}}", "extra.seed", "set itself"),
        ("models: {x: {agent: blind, vision: true}}", "models.x.vision", "for an agent"),
        ("models: {openai/x: {concurrency: 1.5}}", "models.openai/x.concurrency", "1.5"),
        (
            "models: {openai/x: {sends_schema: 'yes'}}",
            "models.openai/x.sends_schema",
            "e.g. sends_schema: false",
        ),
        ("models: {openai/x: {sends_temperature: null}}", "sends_temperature", "true or false"),
        ("models: {openai/x: {api_key_env: sk-123}}", "models.openai/x.api_key_env", "capitals"),
        ("models: {openai/x: {needs_packages: [../../evil]}}", "needs_packages", "imports"),
        ("models: {openai/x: {needs_packages: [--index-url=x]}}", "needs_packages", "imports"),
        ("models: {openai/x: {extra: {api_key: abc}}}", "extra.api_key", "api_key_env"),
        (
            "models: {openai/x: {extra: {extra_headers: {Authorization: abc}}}}",
            "extra.extra_headers.Authorization",
            "extra_headers_env",
        ),
        ("models: {openai/x: {extra: {num_retries: 3}}}", "extra.num_retries", "set itself"),
        ("models: {openai/x: {base_url: 'http://a:b@c/v1'}}", "base_url", "credentials"),
        ("models: {openai/x: {base_url: localhost}}", "base_url", "begins with http"),
        ("models: {x: {agent: nobody}}", "models.x", "agent 'nobody'"),
        ("models: {x: {agent: blind, target: openai/x}}", "models.x", "agent together with"),
        ("models: {x: {agent: blind, max_tokens: 3}}", "models.x.max_tokens", "for an agent"),
        ("models: {openai/x: {latency_s: 1}}", "models.openai/x.latency_s", "hosted model"),
        ("models: {x: {target: llamafile/x}}", "models.x", "without base_url"),
        ("models: {openai/x: {target: '${oc.env:HOME}'}}", "models.openai/x.target", "plain"),
        ("models: {openai/x: {}, openai/x: {}}", "", "keep one of the two lines"),
        ("models: [openai/x]", "models", "keys with values"),
        ("models: {", "", "not closed"),
    ],
)
def test_bad_files_are_named_with_their_key(written, text, where, said):
    path = written(text)
    with pytest.raises(SweepError) as caught:
        load_catalogue(path)
    assert caught.value.where.startswith(str(path))
    assert where in caught.value.where
    assert said in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SweepError, match=r"none\.yaml"):
        load_catalogue(tmp_path / "none.yaml")
