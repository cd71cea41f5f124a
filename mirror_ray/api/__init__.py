"""The Python interface: plan a sweep, play it, read its runs; what `mirror_ray` itself offers."""
