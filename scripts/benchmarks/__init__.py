"""Benchmarks: what tx costs, beside a baseline measured in the same run and the budget of the design."""
