"""A mock provider for rehearsals and tests: offline agents' replies, enforced limits."""
