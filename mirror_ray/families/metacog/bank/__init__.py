"""metacog's generated questions: one module of templates per domain."""
