"""metacog: does a model know what it knows, and act on it? (arXiv 2604.19809, experiments 1–9)"""
