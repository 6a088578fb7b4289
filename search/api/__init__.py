"""The JSON API: a thin printer over the federation, the register and what is kept, by the NLGov API Design Rules 2."""
