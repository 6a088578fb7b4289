"""What tests build on: servers on loopback, waits with a bound, scripted platforms."""
