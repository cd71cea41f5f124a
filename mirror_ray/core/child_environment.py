"""The environment of programs that are not ours: model servers, notification commands.

They get the variables listed here, and those that the user names; never the keys of models, which
lie in the same environment.
"""

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

_NAMES = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "HOSTNAME", "TERM", "TZ", "LANG", "LANGUAGE"),
        *("TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH"),
        *("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
        *("HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "HF_XET_CACHE", "TRANSFORMERS_CACHE"),
        *("TRANSFORMERS_OFFLINE", "LP_NUM_THREADS"),
    }
)
_PREFIXES = (
    *("LC_", "XDG_", "CUDA_", "NVIDIA_", "NCCL_", "ROCR_", "ROCM_", "HIP_", "HSA_", "GPU_"),
    *("VLLM_", "SGLANG_", "TORCH_", "PYTORCH_", "TRITON_", "GGML_", "VK_"),
)
_PROXIES = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"})
_SECRET = re.compile(r"KEY|SECRET|TOKEN|PASS|CREDENTIAL|AUTH|COOKIE", re.IGNORECASE)


def child_environment(environ: Mapping[str, str], *, named: Collection[str] = ()) -> dict[str, str]:
    """Return the environment variables that a third-party program gets.

    Args:
        environ: this process's.
        named: further variables, which the user names; secret ones too.
    """
    return {
        name: value
        for name, value in environ.items()
        if name in named or (_is_listed(name) and not _may_be_secret(name, value))
    }


def _is_listed(name: str) -> bool:
    return name in _NAMES or name.upper() in _PROXIES or name.startswith(_PREFIXES)


def _may_be_secret(name: str, value: str) -> bool:
    """Judge a variable by its name, or as the address of a proxy with a password."""
    if _SECRET.search(name):
        return True
    try:
        return "@" in urlsplit(value).netloc
    except ValueError:
        return True
