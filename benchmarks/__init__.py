"""Figures of the product side by side with what somebody would pick instead. Not part of the product."""
