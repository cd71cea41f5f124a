"""Catalogue files that a sweep names, and that no model comes out of."""

from bad_files import GOOD, NO_FILES, BadFile, Content

FILE = "my_models.yaml"
SWEEP_TEXT = GOOD.replace("name:", f"catalogue: {FILE}\nname:", 1)


def _entry(keys: str) -> str:
    return f"models: {{openai/x: {{{keys}}}}}"


_TEXTS: dict[str, tuple[Content, str]] = {
    "list": ("- a", "(whole file)"),
    "number": ("5", "(whole file)"),
    "false": ("false", "(whole file)"),
    "words": ("just words", "(whole file)"),
    "half": ("models: {", ""),
    "two_documents": ("models: {}\n---\nmodels: {}", ""),
    "nul": (b"models: {a: \0}", ""),
    "utf_16": ("models: {}".encode("utf-16"), ""),
    "latin_1": ("models: {é: {}}".encode("latin-1"), ""),
    "deep": ("[" * 100_000, ""),
    "deep_extra": (_entry("extra: " + "{a: " * 300 + "1" + "}" * 300), ""),
    "python_object": ("models: !!python/object:os.system {}", "models"),
    "python_path": ("models: !!python/object/apply:pathlib.PosixPath [a]", "models"),
    "binary": (_entry("target: !!binary YQ=="), "models.openai/x.target"),
    "duplicate": ("models: {a: {}, a: {}}", "models.a"),
    "unknown_key": ("model: {}", "model"),
    "unknown_key_below": (_entry("rpn: 3"), "models.openai/x.rpn"),
    "key_number": ("models: {5: {agent: blind}}", "models"),
    "key_null": ("models: {~: {agent: blind}}", "models"),
    "key_long": (f"models: {{? {'k' * 100_000} : {{}}}}", "models"),
    "models_list": ("models: [a]", "models"),
    "entry_list": ("models: {a: [b]}", "models.a"),
    "env": (_entry("target: '${oc.env:HOSTILE}'"), "models.openai/x.target"),
    "env_space": (_entry("target: '${ oc.env:HOSTILE}'"), "models.openai/x.target"),
    "env_in_extra": (_entry("extra: {a: [{b: '${oc.env:HOSTILE}'}]}"), "extra.a.0.b"),
    "env_in_a_key": (_entry("extra: {'${oc.env:HOSTILE}': 1}"), "models.openai/x.extra"),
    "env_in_a_name": ("models: {'${oc.env:HOSTILE}': {agent: blind}}", "models"),
    "interpolation_half": (_entry("target: '${name'"), "models.openai/x.target"),
    "url_half_ipv6": (_entry("base_url: 'http://[::1'"), "models.openai/x.base_url"),
    "url_no_ipv6": (_entry("base_url: 'http://[x]/v1'"), "models.openai/x.base_url"),
    "url_no_host": (_entry("base_url: 'http:///v1'"), "models.openai/x.base_url"),
    "url_port_text": (_entry("base_url: 'http://a:b/v1'"), "models.openai/x.base_url"),
    "url_port_beyond": (_entry("base_url: 'http://a:99999/v1'"), "models.openai/x.base_url"),
    "url_port_digits": (_entry(f"base_url: 'http://a:{'9' * 5_000}/'"), "models.openai/x.base_url"),
    "url_port_zero": (_entry("base_url: 'http://a:0/v1'"), "models.openai/x.base_url"),
    "url_file": (_entry("base_url: 'file:///etc/passwd'"), "models.openai/x.base_url"),
    "url_space": (_entry("base_url: 'http://a b/v1'"), "models.openai/x.base_url"),
    "url_line": (_entry('base_url: "http://a/v1\\nx"'), "models.openai/x.base_url"),
    "url_long": (_entry(f"base_url: 'http://{'a' * 100_000}/'"), "models.openai/x.base_url"),
    "url_nul": (_entry('base_url: "http://a\\0/v1"'), "models.openai/x.base_url"),
    "zone_path": (_entry("day_zone: ../../../etc/passwd"), "models.openai/x.day_zone"),
    "zone_device": (_entry("day_zone: /dev/zero"), "models.openai/x.day_zone"),
    "zone_folder": (_entry("day_zone: America"), "models.openai/x.day_zone"),
    "zone_long": (_entry(f"day_zone: {'A/' * 50_000}B"), "models.openai/x.day_zone"),
    "zone_empty": (_entry("day_zone: ''"), "models.openai/x.day_zone"),
    "rpm_nan": (_entry("rpm: .nan"), "models.openai/x.rpm"),
    "rpm_infinite": (_entry("rpm: .inf"), "models.openai/x.rpm"),
    "rpm_1e300": (_entry("rpm: 1e300"), "models.openai/x.rpm"),
    "rpm_1e_300": (_entry("rpm: 1e-300"), "models.openai/x.rpm"),
    "rpm_boolean": (_entry("rpm: true"), "models.openai/x.rpm"),
    "rpm_digits": (_entry(f"rpm: {'9' * 5_000}"), "models.openai/x.rpm"),
    "concurrency_float": (_entry("concurrency: 1.0"), "models.openai/x.concurrency"),
    "concurrency_2_63": (_entry(f"concurrency: {2**63 - 1}"), "models.openai/x.concurrency"),
    "max_tokens_2_70": (_entry(f"max_tokens: {2**70}"), "models.openai/x.max_tokens"),
    "image_tokens_2_62": (_entry(f"tokens_per_image: {2**62}"), "models.openai/x.tokens_per_image"),
    "price_negative": (_entry("usd_per_mtok_in: -1"), "models.openai/x.usd_per_mtok_in"),
    "price_1e300": (_entry("usd_per_mtok_in: 1e300"), "models.openai/x.usd_per_mtok_in"),
    "price_nan": (_entry("usd_per_mtok_out: .nan"), "models.openai/x.usd_per_mtok_out"),
    "timeout_1e300": (_entry("timeout_s: 1e300"), "models.openai/x.timeout_s"),
    "timeout_zero": (_entry("timeout_s: 0"), "models.openai/x.timeout_s"),
    "latency_1e300": ("models: {x: {agent: blind, latency_s: 1e300}}", "models.x.latency_s"),
    "agent_unknown": ("models: {x: {agent: nobody}}", "models.x"),
    "agent_long": (f"models: {{x: {{agent: {'b' * 400}}}}}", "models.x"),
    "target_empty": (_entry("target: ''"), "models.openai/x.target"),
    "many_models": (
        "models:\n" + "\n".join(f"  m{i}: {{agent: blind}}" for i in range(30_000)),
        "models",
    ),
    "many_defaults": (
        "defaults:\n" + "\n".join(f"  '*{i}*': {{}}" for i in range(30_000)),
        "defaults",
    ),
    "slow_defaults": (
        "defaults:\n"
        + "\n".join(f"  '*{'?' * 90}{i:04}': {{}}" for i in range(1_000))
        + "\nmodels:\n"
        + "\n".join(f"  openai/{'a' * 180}{i:04}: {{}}" for i in range(1_000)),
        "defaults",
    ),
    "slow_defaults_and_an_error": (
        "defaults:\n"
        + "\n".join(f"  '*{'?' * 90}{i:04}': {{}}" for i in range(80))
        + "\nmodels:\n"
        + "\n".join(f"  openai/{'a' * 180}{i:04}: {{}}" for i in range(850))
        + f"\n  '{'z' * 180}': {{agent: nobody}}",
        "models",
    ),
    "long_alike_names": (
        "models:\n"
        + "\n".join(f"  {'a' * 400}{i}: {{agent: blind}}" for i in range(1_000))
        + f"\n  {'a' * 401}: {{agent: {'b' * 300}}}",
        "models.",
    ),
    "ten_megabytes": ("#" * 10_000_000, ""),
    "ranges_that_multiply": (
        "models: {'openai/x-{0..99}-{0..99}': {}}",
        "models.openai/x-{0..99}-{0..99}",
    ),
    "a_range_of_a_hundred_thousand": ("models: {'openai/x-{00000..99999}': {}}", "models.openai/x"),
    "ranges_of_many": (
        "models: {" + ", ".join(f"'openai/{i}-{{0..9999}}': {{}}" for i in range(500)) + "}",
        "models.openai/1",
    ),
    **{name: (make, "") for name, make in NO_FILES.items()},
}


def bad_catalogues() -> list[BadFile]:
    """Every catalogue."""
    found = []
    for name, (content, key) in _TEXTS.items():
        files: dict[str, Content] = {"sweep.yaml": SWEEP_TEXT, FILE: content}
        says = (f"{FILE}: {key}" if key and not key.startswith("extra") else FILE, key)
        found.append(BadFile(f"catalogue_{name}", files, says))
    return found
