"""The use case: gather what there is to tell, lay out the page, and note in the run what it showed."""

from __future__ import annotations

from tx_graph.core.kernel import Kernel
from tx_graph.domain.tokens import CountTokens
from tx_graph.services.context.gathering import Gathering
from tx_graph.services.context.layout import Layout, laid_out
from tx_graph.services.context.values import ContextRequest, Page
from tx_graph.work.runs import record_shown


class Context:
    """Writes the page that somebody reads before starting."""

    def __init__(self, *, gathering: Gathering, kernel: Kernel) -> None:
        self._gathering = gathering
        self._kernel = kernel

    def page(self, request: ContextRequest, layout: Layout, *, count: CountTokens) -> Page:
        """Return the page, of at most `request.budget` tokens as `count` counts them.

        With a run, the learnings it shows are recorded there: their positions on the page and their scores.

        Raises:
            NotFound: There is no such task, run or open file, or a glob matches nothing.
            UsageError: A file is outside the repository, the run is finished, or an empty page is over the budget.
            ModelError: The retriever fails.
        """
        material = self._gathering.gathered(request)
        page = laid_out(material, layout, budget=request.budget, count=count)
        if request.run is not None:
            shown = [(one.result.stored.node, one.result.relevance) for one in page.shown.learnings]
            record_shown(self._kernel, request.run, shown)
        return page
