"""Running the product on one machine: where it keeps its things, what it starts, and how all of it ends again."""
