"""`mirror-ray seal` signs the contents of a run directory, for others to verify."""

from argparse import Namespace
from itertools import chain, count
from pathlib import Path

from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import say
from mirror_ray.records.rundir import refuse_in_use
from mirror_ray.records.shards.merging import SEALED_MARK
from mirror_ray.records.storage import join, storage_of, write_text
from mirror_ray.records.storage_fault import faults_reported


def main(arguments: Namespace) -> int:
    """Write one new file; never replace a file."""
    with needs_extra("seal", ["cryptography"]):
        # Imported late: the package is an extra.
        from mirror_ray.attestation.downloading import downloaded  # noqa: PLC0415
        from mirror_ray.attestation.envelope import (  # noqa: PLC0415
            default_key,
            public_hex,
            signing_key,
            write_envelope,
        )
        from mirror_ray.attestation.statement import statement_of  # noqa: PLC0415
    directory, out = arguments.directory, arguments.out
    if out and Path(out).exists():
        raise SweepError("command line: --out", out, "a new file", "choose another name")
    refuse_in_use(directory)
    with downloaded(directory) as folder:
        statement = statement_of(str(folder))
        names = chain(("seal.json",), (f"seal-{n}.json" for n in count(2)))
        name = next(one for one in names if not (folder / one).exists())
    key = signing_key(Path(arguments.key) if arguments.key else default_key())
    text = write_envelope(statement, key)
    if out:
        with Path(out).open("x", encoding="utf-8") as file:
            file.write(text)
    with faults_reported(directory, "the seal cannot be written"):
        fs, root = storage_of(directory)
        if not out:
            write_text(fs, f"{root}/{name}", text)
            out = join(directory, name)
        # A merge would replace the shards that it names.
        write_text(fs, f"{root}/{SEALED_MARK}", "")
    root, public = statement["subject"][0]["digest"]["sha256"], public_hex(key)
    if arguments.json:
        print_json({"seal": out, "merkle_root": root, "public_key": public})
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
