"""Rechtspraak: rulings and opinions, by the search of the website and by Open Data."""
