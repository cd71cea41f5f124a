"""Programs that are not ours get no secret, however its variable is called or written."""

import pytest

from mirror_ray.core.child_environment import child_environment

KEY = "sk-1234567890"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPENAI_API_KEY", KEY),
        ("HTTPS_PROXY", "http://me:pw@proxy:3128"),
        ("HTTPS_PROXY", "me:pw@proxy:3128"),
        ("all_proxy", "//me:pw@proxy"),
        ("VLLM_HF_PAT", "hf_1"),
        ("VLLM_BEARER", "b"),
        ("SGLANG_PWD", "p"),
        ("TORCH_DSN", "db"),
        ("CUDA_CRED", "c"),
        ("VLLM_CONFIG", '{"api_key": "x"}'),
        ("XDG_NOTE", f"as {KEY}"),
    ],
)
def test_secrets_stay_here(name: str, value: str) -> None:
    given = {"PATH": "/home/a@b/bin:/keys", "LC_ALL": "C", "OTHER_KEY": KEY, name: value}
    assert child_environment(given) == {"PATH": "/home/a@b/bin:/keys", "LC_ALL": "C"}


def test_the_folders_of_a_shell_and_of_keys_are_no_secrets(tmp_path) -> None:
    home = str(tmp_path)
    kept = {"HOME": home, "PATH": f"{home}/bin:/usr/bin"}
    given = {**kept, "PWD": home, "OLDPWD": home, "KEYS_FOLDER": home, "SSH_AUTH_SOCK": home}
    assert child_environment(given) == kept


def test_keys_of_models_stay_here_whatever_they_are_called() -> None:
    given = {"VLLM_ENTRY": KEY, "XDG_NOTE": f"as {KEY}", "LC_ALL": "C"}
    assert child_environment(given, keys=["VLLM_ENTRY"]) == {"LC_ALL": "C"}


def test_what_the_user_names_is_given() -> None:
    given = {"HTTPS_PROXY": "proxy:3128", "OTHER_KEY": KEY, "HF_HOME": "/models"}
    assert child_environment(given, named=["OTHER_KEY"]) == given
