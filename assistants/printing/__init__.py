"""What tools have in common when they print: hits, documents, states of sources, and the schemas of all of these."""
