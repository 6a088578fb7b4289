"""A search as a file: table (CSV), references (RIS), data (JSON) and feed (Atom), all from the same gathered hits."""
