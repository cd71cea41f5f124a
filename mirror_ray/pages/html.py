"""Templates that escape everything, and the Content-Security-Policy of pages whose style and script
are inline: the policy allows them by their hashes."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


def environment_of(package: str) -> Environment:
    """Make the environment of a package's folder `templates`."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def asset(package: str, name: str) -> str:
    """Read a file of a package's folder `assets`."""
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


def own_policy(style: str, script: str) -> str:
    """Return the policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; base-uri 'none'; style-src '{_hash(style)}';"
        f" script-src '{_hash(script)}'"
    )


@dataclass(frozen=True, slots=True)
class InlinePage:
    """A page of a package: ``templates/page.html``, with the style and script of the files
    ``assets/<name>.css`` and ``assets/<name>.js``."""

    package: str
    name: str

    def render(self, **values: Any) -> str:
        """Fill the template; its values are escaped."""
        template = _environment(self.package).get_template("page.html")
        # The package's own text, hashed unchanged: escaping would change it.
        style, script = map(Markup, self._assets())
        return template.render(style=style, script=script, **values)

    def policy(self, *more: str) -> str:
        """Return the Content-Security-Policy of the page. `more` is what it allows besides its own
        style and script, and its form."""
        own = "form-action 'self'; frame-ancestors 'none'"
        return "; ".join([own_policy(*self._assets()), *more, own])

    def _assets(self) -> tuple[str, str]:
        return asset(self.package, f"{self.name}.css"), asset(self.package, f"{self.name}.js")


_environment = cache(environment_of)


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
