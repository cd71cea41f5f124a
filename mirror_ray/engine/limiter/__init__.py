"""The Limiter's process: rate limits, fairness, circuit breakers and budgets."""
