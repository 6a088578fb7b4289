"""OpenBesluitvorming: meetings, papers and motions of municipal councils, provinces and water boards."""
