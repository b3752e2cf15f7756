"""The C interface of llama-cpp-python, without the rest of it.

Importing the package runs its `__init__`, which brings chat templates, a disk cache and numpy: two
thirds of the time that the model's process took to start. The module with the C interface wants
none of them, so it is imported while an empty package stands in for the real one.
"""

from __future__ import annotations

import importlib.util
import sys

if "llama_cpp" not in sys.modules and (_found := importlib.util.find_spec("llama_cpp")):
    sys.modules["llama_cpp"] = importlib.util.module_from_spec(_found)
    import llama_cpp.llama_cpp as llama_cpp

    del sys.modules["llama_cpp"]
else:
    # It was imported whole, or it is not here, which this says.
    import llama_cpp.llama_cpp as llama_cpp

__all__ = ["llama_cpp"]
