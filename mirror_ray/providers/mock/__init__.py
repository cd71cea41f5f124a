"""A pretended provider on this machine: OpenAI's protocol, offline agents' words, enforced limits.

For rehearsals and tests: no run imports it.
"""
