"""The compiled search kernel: it decides deals, and the checker confirms what it finds."""
