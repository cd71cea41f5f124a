"""`mirror-ray compact` merges a run's small shards into few large files."""

import asyncio
from argparse import Namespace

from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.terminal import say
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.merging import merge_shards, seal_of
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.replay.rescore import seal_leftovers


def main(arguments: Namespace) -> int:
    """Print the number of files before and after."""
    directory = arguments.directory
    manifest = read_manifest(directory)
    with (
        RunDir(directory, manifest["sweep"]),
        faults_reported(directory, "the shards cannot be merged"),
    ):
        if seal := seal_of(directory):
            raise RunDirError(
                directory,
                f"a sealed run ({seal}), whose seal names its shards",
                "a run without a seal: compact first, then seal",
                f"compact a copy without {seal}; a seal of the original does not match the copy",
            )
        asyncio.run(seal_leftovers(directory))
        files = merge_shards(directory)
    if arguments.json:
        print_json({"files_before": 2 * files.before, "files_after": 2 * files.after})
    else:
        say(console, f"{2 * files.before:,} files of shards before, {2 * files.after:,} now.")
    return 0
