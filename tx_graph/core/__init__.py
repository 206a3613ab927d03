"""What every room stands on: the open workspace, what faces are told of a use case, and results as JSON."""
