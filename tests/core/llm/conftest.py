from tests.core.llm.fixtures import llm_home, serve

__all__ = ["llm_home", "serve"]
