"""Heavy work that may wait: overviews of one question over many sources, with full text (design page on load)."""
