"""What prose claims about the repository, and whether it still holds."""
