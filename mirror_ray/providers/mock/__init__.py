"""A mock provider on this machine: OpenAI's protocol, offline agents' replies, enforced limits.

For rehearsals and tests: no run imports it.
"""
