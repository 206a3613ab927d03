"""The terminal face: parse, call, render."""
