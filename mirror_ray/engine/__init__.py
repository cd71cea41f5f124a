"""Runs a plan on Ray: driver, simulators, providers, limiter, recorder. The only room of `ray`."""
