"""How anchors survive real history: every symbol of one revision, looked for at a later one.

What became of each symbol is worked out without the verifier (`truth`), from git's renames and from two other readers
of code, the interpreter's own parser and Pygments; then the verifier's answers are held against it (`scoring`).
"""
