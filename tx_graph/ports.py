"""Where plug-ins found these names before; kept for one version. The home of all public protocols is `tx_graph`."""

from tx_graph.core.ports import Corpus, CorpusText, Hit, Retriever

__all__ = ["Corpus", "CorpusText", "Hit", "Retriever"]
