"""From a name to a model."""

import re
from pathlib import Path

import pytest
import yaml

from mirror_ray import sweeps
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.model import Limits

PAPER = {
    "openrouter/anthropic/claude-sonnet-4.6",
    "gemini/gemini-2.5-flash",
    "gemini/gemini-2.5-pro",
    "openrouter/google/gemma-4-26b-a4b-it:nitro",
    "openrouter/google/gemma-4-31b-it:nitro",
    "openai/gpt-5.1",
    "openrouter/mistralai/ministral-14b-2512:nitro",
    "openrouter/qwen/qwen3.6-plus",
}


def resolve(name, *paths):
    return load_catalogue(*paths).resolve(name, where="sweep.yaml: models.0")


def test_the_papers_models_and_all_agents_are_there():
    assert {*PAPER, *(f"scripted/{agent}" for agent in AGENTS)} <= set(load_catalogue().match("*"))


def test_the_papers_temperature_reaches_every_one_of_its_models():
    assert all(resolve(name).sends_temperature for name in PAPER)


def test_globs():
    catalogue = load_catalogue()
    assert set(catalogue.match("openrouter/*")) == {n for n in PAPER if n.startswith("openrouter/")}
    assert catalogue.match("gemini/gemini-2.5-[fp]*") == (
        "gemini/gemini-2.5-flash",
        "gemini/gemini-2.5-pro",
    )
    assert catalogue.match("nobody/*") == ()


def test_scripted_names_need_no_entry():
    model = resolve("scripted/observer")
    assert (model.backend, model.target, model.api_key_env) == ("scripted", "observer", None)
    assert (model.usd_per_mtok_in, model.latency_s) == (0.0, 0.0)


def test_a_scripted_entry_for_load_tests(written):
    path = written("models: {slow-blind: {agent: blind, latency_s: 2, concurrency: 3}}")
    model = resolve("slow-blind", path)
    assert (model.backend, model.target, model.latency_s) == ("scripted", "blind", 2.0)
    assert model.limits == Limits("slow-blind", concurrency=3)


def test_unlisted_litellm_names_get_their_providers_key():
    model = resolve("openai/gpt-4.1-mini")
    assert (model.backend, model.target) == ("hosted", "openai/gpt-4.1-mini")
    assert model.api_key_env == "OPENAI_API_KEY"
    assert model.usd_per_mtok_in is None
    assert resolve("openrouter/x-ai/grok-4").api_key_env == "OPENROUTER_API_KEY"


@pytest.mark.parametrize(
    ("name", "sends"),
    [
        ("openai/gpt-5-mini", False),
        ("openai/gpt-5.1-codex", False),
        ("openai/o3", False),
        ("anthropic/claude-opus-4-7", False),
        ("openai/gpt-5.1-2025-11-13", True),
        ("openai/gpt-5-chat-latest", True),
        ("openai/gpt-4o", True),
        ("anthropic/claude-sonnet-4-5", True),
    ],
)
def test_who_takes_a_temperature(name, sends):
    assert resolve(name).sends_temperature is sends


PROVIDERS = (
    *("openai", "anthropic", "azure", "bedrock_converse", "vertex_ai-anthropic_models"),
    *("gemini", "mistral", "xai"),
)
"""Of litellm's map of models, those whose parameters litellm itself knows by name."""


SCHEMA = {
    "type": "json_schema",
    "json_schema": {"name": "reply", "schema": {"type": "object", "properties": {}}},
}


def test_who_takes_what_is_what_litellm_would_send(monkeypatch):
    """For every chat model in litellm's map that our defaults serve."""
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    monkeypatch.setattr(litellm, "suppress_debug_info", True)
    from litellm.utils import get_optional_params

    def sent_by_litellm(model, **parameter):
        provider, _, short = model.target.partition("/")
        if model.reasoning_effort is not None:
            parameter["reasoning_effort"] = model.reasoning_effort
        try:
            return get_optional_params(model=short, custom_llm_provider=provider, **parameter)
        except litellm.UnsupportedParamsError:
            return {}

    catalogue = load_catalogue()
    disagreed, compared = [], dict.fromkeys(PROVIDERS, 0)
    for key, facts in litellm.model_cost.items():
        provider = facts.get("litellm_provider")
        # Azure's regions are prices of litellm's; a deployment has no slash in its name.
        if facts.get("mode") != "chat" or provider not in PROVIDERS or key.count("/") > 1:
            continue
        compared[provider] += 1
        prefix = provider.partition("_converse")[0].partition("-")[0]
        name = key if key.startswith(f"{prefix}/") else f"{prefix}/{key}"
        model = catalogue.resolve(name, "litellm")
        takes_temperature = "temperature" in sent_by_litellm(model, temperature=0.2)
        if takes_temperature is not model.sends_temperature:
            disagreed.append((name, "temperature"))
        if model.sends_seed and "seed" not in str(sent_by_litellm(model, seed=7)):
            disagreed.append((name, "seed"))
        if model.sends_schema:
            sent = sent_by_litellm(model, response_format=SCHEMA)
            # A schema that becomes a forced tool call is another task.
            if not sent or "tools" in sent:
                disagreed.append((name, "schema"))
    assert min(compared.values()) > 10
    assert disagreed == []


def test_later_files_win_key_by_key(written):
    name = "gemini/gemini-2.5-pro"
    first = written(f"models: {{{name}: {{rpm: 30, timeout_s: 10}}}}", "a.yaml")
    second = written(f"models: {{{name}: {{rpm: null, rpd: 99, window: minute}}}}", "b.yaml")
    model = resolve(name, first, second)
    assert model.limits == Limits(
        name,
        rpm=None,
        tpm=2_000_000.0,
        concurrency=64,
        rpd=99.0,
        day_zone="America/Los_Angeles",
        window="minute",
    )
    assert model.timeout_s == 10.0
    assert model.usd_per_mtok_out == 10.0


def test_a_server_of_ones_own_inherits_neither_key_nor_limits_nor_prices(written):
    path = written(
        """
        models:
          local: {target: openai/gpt-5.1, base_url: "http://localhost:8000/v1"}
          openai/gpt-5.1: {base_url: "http://localhost:8001/v1", api_key_env: MY_KEY}
        """
    )
    local = resolve("local", path)
    assert (local.target, local.base_url) == ("openai/gpt-5.1", "http://localhost:8000/v1")
    assert (local.api_key_env, local.usd_per_mtok_in) == (None, None)
    assert local.limits == Limits("openai/gpt-5.1 at http://localhost:8000/v1")
    overridden = resolve("openai/gpt-5.1", path)
    assert (overridden.api_key_env, overridden.usd_per_mtok_in) == ("MY_KEY", None)
    assert overridden.limits.rpm is None


def test_what_a_model_wants_and_takes(written):
    path = written(
        """
        models:
          a: {target: openai/a, base_url: "http://h/v1", needs_env: [ONE, TWO], vision: false}
          b: {target: bedrock/b, needs_env: null}
          c: {target: bedrock/c}
          d: {target: openai/gpt-5.1, reasoning_effort: low, max_tokens_name: max_completion_tokens}
        """
    )
    a, b, c, d = (resolve(name, path) for name in "abcd")
    assert (a.needs_env, a.vision, a.sends_seed) == ((("ONE", "TWO"),), False, True)
    assert b.needs_env == ()
    assert c.needs_env[:2] == (("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), ("AWS_PROFILE",))
    assert (d.reasoning_effort, d.max_tokens_name) == ("low", "max_completion_tokens")
    assert resolve("openai/gpt-5.1").reasoning_effort == "none"
    assert resolve("vertex_ai/gemini-2.5-flash").needs_packages == ("google.auth",)
    assert not resolve("deepseek/deepseek-chat").vision


def test_the_examples_in_the_packaged_file_resolve(written):
    text = (Path(sweeps.__file__).parent / "models.yaml").read_text()
    block = re.search(r"^# Examples.*\n((?:#.*\n)+)", text, re.MULTILINE).group(1)
    path = written(re.sub(r"^#  ?", "", block, flags=re.MULTILINE))
    names = set(yaml.safe_load(path.read_text())["models"])
    assert len(names) >= 7
    catalogue = load_catalogue(path)
    assert names <= set(catalogue.match("*"))
    models = {name: catalogue.resolve(name, "x") for name in names}
    assert models["qwen-vllm"].base_url == "http://localhost:8000/v1"
    assert models["azure-gpt-5.1"].sends_temperature is False
    assert models["azure-gpt-5.1"].api_key_env == "AZURE_API_KEY"
    assert models["azure-gpt-5.1"].needs_env == ()
    assert models["local-mock"].limits.window == "minute"


def test_models_of_one_account_share_its_allowance(written):
    path = written("defaults: {openrouter/*: {rpm: 200}}")
    catalogue = load_catalogue(path)
    models = [catalogue.resolve(name, "x") for name in catalogue.match("openrouter/*")]
    assert {model.limits for model in models} == {Limits("openrouter", rpm=200.0, concurrency=128)}


def test_two_figures_for_one_allowance_name_both_entries_and_the_ways_out(written):
    path = written("models: {openrouter/qwen/qwen3.6-plus: {rpm: 20}}")
    with pytest.raises(SweepError, match="limits_key 'openrouter'") as caught:
        load_catalogue(path)
    error = caught.value
    other = re.search(r"models\.yaml: models\.(openrouter/\S+) has no rpm", error.got)
    assert error.where == f"{path}: models.openrouter/qwen/qwen3.6-plus"
    assert other, error.got
    assert error.got.startswith("rpm 20 for openrouter/qwen/qwen3.6-plus, where ")
    assert other[1] in error.allowed

    # As it says: an allowance of its own, or the same one for all.
    alone = written(
        "models: {openrouter/qwen/qwen3.6-plus: {rpm: 20,"
        " limits_key: openrouter/qwen/qwen3.6-plus}}"
    )
    assert "limits_key: openrouter/qwen/qwen3.6-plus" in error.fix
    own = load_catalogue(alone).resolve("openrouter/qwen/qwen3.6-plus", "x")
    assert own.limits.rpm == 20
    assert load_catalogue(alone).resolve(other[1], "x").limits.rpm is None
    together = load_catalogue(written("defaults: {openrouter/*: {rpm: 20}}"))
    assert together.resolve(other[1], "x").limits.rpm == 20


def test_what_a_model_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "models:\n"
        "  house: {target: hosted_vllm/x, base_url: http://localhost:1, family: Own, size_b: 7,\n"
        "    released: 2025-09-29, lab: House}\n"
        "  played: {agent: rotator, family: Toy}\n"
    )
    house, played = resolve("house", path), resolve("played", path)
    assert (house.family, house.size_b, house.released, house.lab) == (
        "Own",
        7,
        "2025-09-29",
        "House",
    )
    assert (played.family, played.lab) == ("Toy", None)
    # What is not stated is left to the name, where rows are read.
    assert resolve("openai/gpt-5.1").family is None


@pytest.mark.parametrize("said", ["size_b: 0", "size_b: .inf", "released: soon", "family: ''"])
def test_what_no_model_is(tmp_path: Path, said: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"models: {{openai/x: {{{said}}}}}\n")
    with pytest.raises(SweepError, match=r"models\.openai/x\."):
        load_catalogue(path)


def test_a_server_of_ones_own_needs_no_entry() -> None:
    model = resolve("hosted_vllm/Qwen/Qwen3-VL-8B-Instruct")
    assert (model.backend, model.base_url) == ("hosted", None)
    assert ("HOSTED_VLLM_API_BASE",) in model.needs_env


def test_an_entry_with_an_address_needs_no_variable(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("models: {mine: {target: hosted_vllm/x, base_url: http://localhost:1}}\n")
    assert resolve("mine", path).needs_env == ()
