"""OpenTK (berthub.eu/tkconv): search in the full text of papers of the Tweede Kamer, kept by one person."""
