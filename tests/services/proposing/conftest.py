from tests.llm.fixtures import llm_home, serve

__all__ = ["llm_home", "serve"]
