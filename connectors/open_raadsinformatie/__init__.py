"""Open Raadsinformatie: papers of councils in Elasticsearch, one index for each organisation."""
