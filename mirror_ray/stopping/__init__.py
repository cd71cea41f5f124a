"""Decides when a sweep may stop: the rules of its `until`, applied to complete rounds of shared
units.
"""
