"""The numeric options of `mirror-ray mock`: option, default, unit, meaning."""

MOCK_FIGURES = (
    ("--latency-s", 2.0, "S", "of a reply, ± 20 %% (2)"),
    ("--speed", 1.0, "TIMES", "multiplies limits per minute and divides latency (1)"),
    (
        *("--faults", 0.0, "SHARE"),
        "of calls that get a 429, 500 or 503, are dropped, stalled or answered with garbage,"
        " each as often (0)",
    ),
    ("--shed", 0.0, "SHARE", "of flex calls that get a 429 or 503, for want of capacity (0)"),
    ("--batch-s", 2.0, "SECONDS", "from a batch's start to its end (2)"),
    (
        "--batch-slow-s",
        0.0,
        "SECONDS",
        "delay before a batch's upload and start are confirmed (0)",
    ),
    ("--batch-expired", 0.0, "SHARE", "of batched requests that expire (0)"),
    ("--batch-failed", 0.0, "SHARE", "of batched requests that fail (0)"),
)
