"""What templates of the search room may use."""
