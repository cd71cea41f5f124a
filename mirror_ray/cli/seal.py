"""`mirror-ray seal` signs the contents of a run directory, for others to verify."""

from argparse import Namespace
from itertools import chain, count
from pathlib import Path

from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import say
from mirror_ray.records.shards.merging import SEALED_MARK


def main(arguments: Namespace) -> int:
    """Write one file; never replace one."""
    with needs_extra("seal", ["cryptography"]):
        # Imported late: the package is an extra.
        from mirror_ray.attestation.envelope import (  # noqa: PLC0415
            default_key,
            public_hex,
            signing_key,
            write_envelope,
        )
        from mirror_ray.attestation.statement import statement_of  # noqa: PLC0415
    directory = Path(arguments.directory)
    out = Path(arguments.out) if arguments.out else None
    if out is not None and out.exists():
        raise SweepError(
            "command line: --out", str(out), "a new file", "choose another name, or remove it"
        )
    statement = statement_of(arguments.directory)
    key = signing_key(Path(arguments.key) if arguments.key else default_key())
    names = chain(("seal.json",), (f"seal-{n}.json" for n in count(2)))
    out = out or next(path for path in map(directory.joinpath, names) if not path.exists())
    with out.open("x", encoding="utf-8") as file:
        file.write(write_envelope(statement, key))
    # A merge would replace the shards that it names.
    (directory / SEALED_MARK).touch()
    root, public = statement["subject"][0]["digest"]["sha256"], public_hex(key)
    if arguments.json:
        print_json({"seal": str(out), "merkle_root": root, "public_key": public})
        return 0
    about = statement["predicate"]
    say(
        console,
        f"{about['n_episodes']:,} episodes, {about['n_replies']:,} replies,"
        f" {len(about['files']):,} files, {len(about['tables']):,} tables: {out}\n"
        f"Merkle root {root}\n"
        f"Public key  {public}: publish it where others look for it\n"
        f"Next: mirror-ray verify {out}",
    )
    return 0
