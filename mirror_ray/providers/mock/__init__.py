"""A mock provider for rehearsals and tests: OpenAI's protocol, offline agents' replies, enforced
limits. No run imports it."""
