"""Ask a repository what it remembers: the quickstart, from Python."""

from tx_graph import Limits, Query, init_workspace

with init_workspace() as workspace:
    print(f"{workspace.graph.analyze_imports().imports} imports between files")
    print(f"{workspace.graph.analyze_cochanges().pairs} pairs of files change together")
    query = Query(text="why is only storage allowed to import sqlite", limit=3, expansion=Limits())
    for result in workspace.search(query).results:
        print(f"{result.relevance:.2f}  {result.standing}  {result.stored.learning.content}")
    files = ("tx_graph/core/database.py",)
    print(workspace.context("retry a write when the database is locked", files=files, budget=900).text)
