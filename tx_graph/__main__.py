"""Runs `python -m tx_graph` as `tx`."""

from __future__ import annotations

from tx_graph.faces.cli.main import main

if __name__ == "__main__":
    main()
