"""metacog's metrics of a cell's answers; what compares cells is in `summary.metacog`."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric("accuracy", "Share of answers that are right; errors are left out."),
        Metric("lenient", "Accuracy where an answer may contain the right one, or be part of it."),
        Metric("readable", "Share of replies from which an answer could be read."),
        Metric("accuracy_a", "Accuracy on the first of two parts."),
        Metric("accuracy_b", "Accuracy on the second of two parts."),
    ),
    unit="question",
    holds="coalesce(item_id, '')",
    our_words="experiments 4 and 9",
    our_words_in="experiment in ('exp4', 'exp9')",
)
