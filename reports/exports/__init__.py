"""A report as a file: table (CSV), references (RIS), data (JSON) and the printable form (PDF), all from the same report."""
