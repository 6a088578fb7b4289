"""Contracts for automated agents: who they are, what they may do, how much, and how they are stopped."""
