"""`serve` in a catalogue: what it becomes, and what is said of a wrong one."""

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue


def model_of(tmp_path, entry: str):
    path = tmp_path / "my.yaml"
    path.write_text(f"models:\n  m: {entry}\n")
    return load_catalogue(path).resolve("m", "sweep")


def serve_of(tmp_path, serve: str):
    return model_of(tmp_path, f"{{serve: {{{serve}}}}}").serve


def argv_of(tmp_path, serve: str) -> str:
    return " ".join(serve_of(tmp_path, serve).argv(host="10.0.0.1", port=8123))


def test_vllm_is_told_its_weights_their_commit_and_where_sampling_defaults_come_from(tmp_path):
    assert argv_of(
        tmp_path, "engine: vllm, weights: Qwen/Q-8B@0123abc, args: [--max-len, '9']"
    ) == (
        "python3 -m vllm.entrypoints.cli.main serve Qwen/Q-8B --revision 0123abc"
        " --served-model-name m --host 10.0.0.1 --port 8123 --generation-config vllm --max-len 9"
    )


@pytest.mark.parametrize(
    ("engine", "shards"), [("vllm", "--tensor-parallel-size 2"), ("sglang", "--tp-size 2")]
)
def test_several_gpus_shard_a_model(engine, shards, tmp_path):
    line = argv_of(tmp_path, f"engine: {engine}, weights: a/b, gpus: 2")
    assert line.endswith(f" {shards}")


@pytest.mark.parametrize(
    ("engine", "own"),
    [
        ("vllm", "-pp=2"),
        ("vllm", "--tensor_parallel_size=2"),
        ("vllm", "--data-parallel-size=2"),
        ("vllm", "-dp=2"),
        ("sglang", "--dp=2"),
        ("sglang", "--pipeline-parallel-size=2"),
    ],
)
def test_it_does_not_where_the_arguments_say_how_gpus_are_used(engine, own, tmp_path):
    line = argv_of(tmp_path, f"engine: {engine}, weights: a/b, gpus: 2, args: [{own}]")
    assert "size 2" not in line
    assert line.endswith(own)


def test_sglang_has_names_of_its_own(tmp_path):
    line = argv_of(tmp_path, f"engine: sglang, weights: {tmp_path}, gpus: 4, python: /env/python")
    assert line == (
        f"/env/python -m sglang.launch_server --model-path {tmp_path} --served-model-name m"
        " --host 10.0.0.1 --port 8123 --sampling-defaults openai --tp-size 4"
    )


def test_a_command_gets_what_it_names_and_its_paths_are_relative_to_the_catalogue(tmp_path):
    serve = 'engine: command, command: [./bin/server, "--at={host}:{port}", "{weights}"], gpus: 0'
    assert argv_of(tmp_path, f"{serve}, weights: ../w.gguf") == (
        f"{tmp_path}/bin/server --at=10.0.0.1:8123 {tmp_path}/../w.gguf"
    )


def test_its_calls_are_free_its_allowance_is_its_own_and_its_concurrency_is_found(tmp_path):
    model = model_of(tmp_path, "{serve: {engine: vllm, weights: a/b}, usd_per_gpu_hour: 2.5}")
    assert (model.target, model.base_url, model.needs_env) == ("hosted_vllm/m", None, ())
    assert (model.usd_per_mtok_in, model.usd_per_mtok_out) == (0.0, 0.0)
    assert (model.limits.key, model.limits.concurrency) == ("m (served)", None)
    assert model.limits.seeks_concurrency
    assert model.usd_per_gpu_hour == 2.5


def vllm(more: str = "", beside: str = "") -> str:
    return f"{{{beside}serve: {{engine: vllm, weights: a/b{more}}}}}"


@pytest.mark.parametrize(
    ("entry", "key", "got"),
    [
        ("{serve: {engine: tgi, weights: a/b}}", "serve.engine", "'tgi'"),
        ("{serve: {engine: vllm}}", "serve", "without weights"),
        ("{serve: {engine: vllm, weights: a/b, command: [x]}}", "serve", "with command"),
        ("{serve: {engine: command, gpus: 1}}", "serve", "without command"),
        ("{serve: {engine: command, command: [./x]}}", "serve.command", "no {port}"),
        (vllm(", gpus: 1.5"), "serve.gpus", "1.5"),
        (vllm(", gpus: -1"), "serve.gpus", "-1"),
        (vllm(", port: 8000, replicas: 2"), "serve.port", "8000 for 2 replicas"),
        (vllm(", args: [--port, '1']"), "serve.args", "'--port'"),
        (vllm(", args: ['--api-key=x']"), "serve.args", "--api-key"),
        (vllm(", args: ['--served_model_name=x']"), "serve.args", "--served_model_name"),
        (vllm(", gpu: 1"), "serve.gpu", "'gpu'"),
        (vllm(beside="base_url: 'http://h/v1', "), "base_url", "with serve"),
        (vllm(beside="rpm: 5, "), "rpm", "with serve"),
        (vllm(beside="api_key_env: MY_KEY, "), "api_key_env", "with serve"),
        (vllm(beside="agent: blind, "), "serve", "for an agent"),
        ("{target: openai/x, usd_per_gpu_hour: 1}", "usd_per_gpu_hour", "served elsewhere"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_key(tmp_path, entry, key, got):
    with pytest.raises(SweepError) as refused:
        model_of(tmp_path, entry)
    error = refused.value
    assert error.where.endswith(f"models.m.{key}")
    assert got in error.got
    assert error.allowed
    assert error.fix


@pytest.mark.parametrize(
    "serve",
    [
        "engine: vllm, weights: a/b, env: {HF_TOKEN: hf_abcdefghijkl}",
        "engine: vllm, weights: a/b, env: {PLAIN: sk-abcdefghijkl}",
        "engine: vllm, weights: a/b, args: [--token=sk-abcdefghijkl]",
        "engine: command, command: [./x, '{port}', sk-abcdefghijkl]",
    ],
)
def test_a_key_written_out_is_refused_and_not_shown(tmp_path, serve):
    with pytest.raises(SweepError) as refused:
        serve_of(tmp_path, serve)
    assert "abcdefghijkl" not in str(refused.value)
