"""PostgreSQL as this product uses it: Django's own backend, and seats for the connections of reports (docs/besluiten/0025)."""
