"""The driver's process: it plans, leases episodes to Simulators and shows progress."""
