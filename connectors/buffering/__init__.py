"""The buffer on Django's cache framework: one cache per platform, each with a share of its own.

``rules`` says how long and how much, ``keys`` under which name, ``items`` in which form and ``frames`` in what frame; ``shelf``
is one platform's cache, ``hop`` the way to it, ``cached`` the buffer that the client knows.
"""
