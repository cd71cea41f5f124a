"""`mirror-ray prompts` prints a family's prompts for editing, or the prompts that its authors
published."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mirror_ray.cli.directories import write_file
from mirror_ray.cli.show import print_json
from mirror_ray.contract.packages import module_of
from mirror_ray.contract.prompt_texts import default_texts
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.sweep.prompt_sets import checked_texts

_EXTRACTOR = "published_prompts"


def main(arguments: Namespace) -> int:
    """Print the prompts as YAML, or write them to a file."""
    name = arguments.family
    if name not in FAMILIES:
        fix = did_you_mean(name, FAMILIES) or "name one of them"
        raise SweepError("command line: FAMILY", repr(name), ", ".join(FAMILIES), fix)
    source = "the family's own prompts"
    texts: Mapping[str, str] = default_texts(name).by_key
    if arguments.published:
        source, texts = _published(name, Path(arguments.published))
    nested = _nested(texts)
    if arguments.json:
        print_json({"family": name, "source": source, "texts": nested})
        return 0
    written = write_yaml({"source": source, **nested})
    if arguments.out is None:
        print(written, end="")
        return 0
    write_file("--out", arguments.out, written.encode())
    print(f"{len(texts)} texts: {arguments.out}")
    return 0


def _published(family: str, checkout: Path) -> tuple[str, dict[str, str]]:
    module = module_of(family, _EXTRACTOR)
    if module is None:
        having = [one for one in FAMILIES if module_of(one, _EXTRACTOR)]
        raise SweepError(
            "command line: --published",
            f"{family}, of which no repository has prompts that its paper does not print",
            ", ".join(having),
            "leave --published out",
        )
    try:
        texts = module.published(checkout)
    except UnfitError as error:
        raise error.at(f"command line: --published {checkout}") from error
    return module.SOURCE, checked_texts(family, texts, str(checkout))


def _nested(texts: Mapping[str, str]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, text in texts.items():
        *folders, last = key.split(".")
        place = nested
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = text
    return nested
