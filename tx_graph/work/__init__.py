"""Work: what is to be done, attempts at it, and what helped."""
