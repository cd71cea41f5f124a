"""A misspelt model gets suggestions, and is never refused."""

from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.known_models import misspelt


def lines_on(*names: str) -> list[str]:
    catalogue = load_catalogue()
    return misspelt(catalogue.resolve(name, where="x") for name in names)


def test_a_misspelt_name_of_a_known_provider_gets_the_nearest_ones() -> None:
    (line,) = lines_on("openai/gtp-5.1")
    assert line.startswith(
        "openai/gtp-5.1 is not a known model of openai: did you mean openai/gpt-5"
    )


def test_known_names_and_providers_without_a_list_get_no_line() -> None:
    assert lines_on("openai/gpt-5.1", "openai/gpt-4.1", "scripted/observer") == []
    assert lines_on("hosted_vllm/my-own-model", "openai/zzzzzzzzzzzzzz-quite-new") == []
