"""A mock provider for rehearsals and tests: replies of offline agents, within enforced limits."""
