"""Estimates, intervals and chance: are they what they claim?"""
