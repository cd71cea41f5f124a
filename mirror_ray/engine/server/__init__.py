"""A model server's process, started and watched on a host of the cluster."""
