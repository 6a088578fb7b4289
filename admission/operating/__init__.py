"""What operators see of contracts, and what they do about them."""
