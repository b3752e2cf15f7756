from __future__ import annotations

import os

# Icons are drawn, and this must be there before Qt looks for a screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
