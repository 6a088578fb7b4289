"""Open Archivaris, whose API is not public: a connector behind a field map, with our own stand-in as its only counterpart."""
