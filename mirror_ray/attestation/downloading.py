"""Brings a sealed run from an object store to this machine, to be compared and recomputed here."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pyarrow import fs as pafs

from mirror_ray.attestation.contents import is_covered
from mirror_ray.core.errors import SweepError
from mirror_ray.records.storage import files_below, is_address, storage_of
from mirror_ray.records.storage_fault import faults_reported


@contextmanager
def downloaded(directory: str) -> Iterator[Path]:
    """Yield a run directory on this machine. For one in an object store, this is a copy of the
    seals and of what they cover, which is removed at the end.

    Raises:
        RunDirError: the store cannot be read, or the disk here has no room.
    """
    if not is_address(directory):
        yield Path(directory)
        return
    with TemporaryDirectory(prefix="mirror-ray-") as made:
        with faults_reported(directory, "the run cannot be downloaded"):
            fs, root = storage_of(directory)
            for path in files_below(fs, root, ""):
                name = path.removeprefix(f"{root}/")
                if is_covered(name):
                    target = Path(made, name)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    pafs.copy_files(path, str(target), fs, pafs.LocalFileSystem())
        yield Path(made)


@contextmanager
def sealed_run(seal: str, run: str | None = None) -> Iterator[tuple[Path, Path]]:
    """Yield the paths of a seal and of its run directory, after a download where necessary. The run
    directory is by default the seal's folder. Raise SweepError if either does not exist."""
    folder, _, name = seal.rpartition("/")
    beside = folder if is_address(seal) else str(Path(seal).parent)
    with downloaded(run or beside) as directory:
        path = directory / name if is_address(seal) and not run else Path(seal)
        for what, given, found in (
            ("--run", run or beside, directory.is_dir()),
            ("SEAL", seal, path.is_file()),
        ):
            if not found:
                raise SweepError(
                    f"command line: {what}", given, "a seal and its run", "check the path"
                )
        yield path, directory
