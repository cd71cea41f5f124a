"""What a run ran on: versions and processor, for the manifest."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("mirror-ray", "mujoco", "ray", "litellm", "duckdb", "pyarrow", "numpy")


def versions() -> dict[str, str | None]:
    """Package → installed version, None where it is not installed; Python's under ``python``."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def cpu_model() -> str | None:
    """The processor's name, which rendering may depend on; None where the system does not say."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or None
