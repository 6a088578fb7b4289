"""Proofs and tokens of automated agents, read strictly. Pure.

Keys, clocks and addresses are handed in; nothing is fetched and nothing is kept.
"""
