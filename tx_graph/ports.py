"""Where plug-ins found these names before; kept for one version: import them from `tx_graph`."""

from tx_graph.core.ports import Corpus, CorpusText, Hit, Retriever

__all__ = ["Corpus", "CorpusText", "Hit", "Retriever"]
