"""Decides when a sweep may stop: its `until`, applied to complete rounds of shared units."""
