"""Chooses the batch protocol of a model's provider."""

from mirror_ray.providers.batches.service import BatchService
from mirror_ray.providers.hosted_call import OWN_SERVERS
from mirror_ray.providers.model import Model

SUPPORTED = (
    "openai/…, anthropic/… and gemini/…, and hosted_vllm/… with a base_url that has OpenAI's"
    " /files and /batches"
)
ANTHROPIC, GEMINI = "anthropic/", "gemini/"
_MAKERS = ("openai/", ANTHROPIC, GEMINI)


def has_batches(model: Model) -> bool:
    """Whether a batch protocol of the model's provider is supported."""
    if model.plugin is not None:
        return False
    if model.target.startswith(_MAKERS):
        return True
    return model.target.startswith(OWN_SERVERS) and model.base_url is not None


def service_for(model: Model, known: frozenset[str] = frozenset()) -> BatchService:
    """Return the batches of a model's provider; imports the HTTP client, and litellm if it is used.

    Args:
        model: at its batch tier.
        known: secrets of the process's other models, which no reply may show either.
    """
    if model.target.startswith(ANTHROPIC):
        from mirror_ray.providers.batches.anthropic_batches import AnthropicBatches  # noqa: PLC0415

        return AnthropicBatches(model, known)
    if model.target.startswith(GEMINI):
        from mirror_ray.providers.batches.gemini_batches import GeminiBatches  # noqa: PLC0415

        return GeminiBatches(model, known)
    from mirror_ray.providers.batches.openai_batches import OpenAiBatches  # noqa: PLC0415

    return OpenAiBatches(model, known)
