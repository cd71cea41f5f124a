"""Removes secrets from text that a record or a log may keep: everything in the form of a key, and
every encoding in which a server may quote the keys it was sent."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from mirror_ray.core.child_environment import SECRET_NAME
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.providers.model import Model

_REMOVED = "[key removed]"
_SHAPES = re.compile(
    r"(?P<label>(?i:\b(?:bearer|basic)\s++"
    r"|\b(?:x-api-key|x-goog-api-key|api[-_]key|authorization)['\"]?\s*+[:=]\s*+['\"]?"
    r"(?>(?:(?:bearer|basic)\s++)?)"
    r"|[?&]key=))"
    r"(?!\[key removed)[^\s'\"\\,;&}\]]++"
    r"|\b(?:sk|pk|gsk|xai|fw|hf)[-_][A-Za-z0-9*_\-.]{6,}"
    r"|\bAIza[A-Za-z0-9_\-*.]{6,}"
)
_ESCAPE = re.compile("%[0-9A-F]{2}")
_SHORTEST_KEY = 4
_SHORTEST_IN_WORDS = 8
"""A shorter key, which a private server may have, can be a word in a model's reply."""
_FEW_FORMS = 600
"""With more forms, as of a hundred keys, searching a text for each takes longer than looking up all
places of the text."""
_LOOKED_AT = 20
"""Multiple of a line's length that is searched, because text after it cannot be shown."""


class Secrets:
    """Values that no record may contain. Their repr does not show them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        known = {form for value in values for form in (value, value.strip())}
        long = {value for value in known if len(value) >= _SHORTEST_IN_WORDS}
        forms = {form for value in long for form in _written(value)}
        # Longest first; otherwise the rest of a longer form would remain.
        self._forms = sorted(forms, key=len, reverse=True)
        self._heads = {form[:_SHORTEST_IN_WORDS] for form in forms}
        self._short = sorted(
            (value for value in known - long if len(value) >= _SHORTEST_KEY), key=len, reverse=True
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._forms) + len(self._short)} forms)"

    def removed_from(self, words: str) -> str:
        """Return `words` without any of the values, in any encoding:

        plain, base64, URL-encoded, … Text that only looks like a key is kept, because it may be the
        model's answer."""
        forms = self._forms
        if len(forms) > _FEW_FORMS:
            last = len(words) - _SHORTEST_IN_WORDS
            heads = self._heads & {words[at : at + _SHORTEST_IN_WORDS] for at in range(last + 1)}
            forms = [form for form in forms if form.startswith(tuple(heads))] if heads else []
        for form in forms:
            words = words.replace(form, _REMOVED)
        return words

    def redact(self, text: str) -> str:
        """Return `text` also without short values, and without anything that looks like a key."""
        text = self.removed_from(_SHAPES.sub(lambda found: (found["label"] or "") + _REMOVED, text))
        for value in self._short:
            text = text.replace(value, _REMOVED)
        return text

    def one_line(self, text: str, limit: int = 300) -> str:
        """Redact `text`, then make it printable on one line and cut it at `limit` characters."""
        head = text[: _LOOKED_AT * limit]
        if len(head) < len(text):
            # If a value is cut here, its beginning would not be recognized.
            words = head.rstrip()
            if any(map(str.isspace, words)) and words == head:
                head = words[: -len(words.split()[-1])]
        return one_printable_line(self.redact(" ".join(head.split())), limit)


def looks_like_a_key(text: str) -> bool:
    """Return whether `text` contains something in the form of a key."""
    return _SHAPES.search(text) is not None


def secret_values(models: Iterable[Model], environ: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets used to call the models, as far as `environ` has them."""
    return frozenset(value for model in models for value in _values_of(model, environ))


def secrets_of(
    model: Model, environ: Mapping[str, str], known: frozenset[str] = frozenset()
) -> Secrets:
    """Return the model's secrets and the known ones."""
    own = secret_values((model,), environ)
    return _secrets(known if own <= known else known | own)


def secrets_in(environ: Mapping[str, str], known: Iterable[str] = ()) -> Secrets:
    """Return the secrets of an environment, to be hidden in a program's output: the `known`
    variables, and those named like HF_TOKEN whose value is longer than a word."""
    named = {name for name in environ if SECRET_NAME.search(name)}
    long = {environ[name] for name in named if len(environ[name]) >= _SHORTEST_IN_WORDS}
    return Secrets((long | {environ.get(name, "") for name in known}) - {""})


@lru_cache(maxsize=64)
def _secrets(values: frozenset[str]) -> Secrets:
    # Cached, because every reply needs them and the environment hardly ever changes.
    return Secrets(values)


def _values_of(model: Model, environ: Mapping[str, str]) -> Iterator[str]:
    clouds = {name for names in model.needs_env for name in names if SECRET_NAME.search(name)}
    for name in {model.api_key_env, *model.extra_headers_env.values(), *clouds}:
        yield environ.get(name or "", "")
    address = urlsplit(model.base_url or "")
    credentials, at, _ = address.netloc.rpartition("@")
    if at:
        yield from (credentials, *map(unquote, credentials.split(":", 1)))
    yield from (value for _, value in parse_qsl(address.query))


def _written(value: str) -> Iterator[str]:
    data = value.encode("utf-8", "surrogatepass")
    yield value
    yield json.dumps(value)[1:-1]
    yield value.replace("/", "\\/")
    yield escape(value)
    for quoted in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield quoted
        yield _ESCAPE.sub(lambda found: found[0].lower(), quoted)
    for hexadecimal in (data.hex(), data.hex().upper()):
        yield hexadecimal
        pairs = [hexadecimal[i : i + 2] for i in range(0, len(hexadecimal), 2)]
        yield "".join(f"%{pair}" for pair in pairs)
    for before in range(3):
        # Within a longer text, as in base64 of "user:key", only whole letters belong to the value.
        letters = b64encode(bytes(before) + data).decode()
        own = letters[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        yield own
        yield own.replace("+", "-").replace("/", "_")
        yield quote(own, safe="")
