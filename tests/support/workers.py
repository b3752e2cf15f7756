"""Stand-ins of the llama child: what the interpreter is told instead of the real one."""

from pathlib import Path

SILENT_WORKER = (str(Path(__file__).with_name("silent_worker.py")),)
ODD_WORKER = (str(Path(__file__).with_name("odd_worker.py")),)
