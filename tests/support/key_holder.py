"""Another program that has taken Ctrl+Alt+Space; says "taken" and keeps it until it is ended."""

from __future__ import annotations

import ctypes
import signal

_CONTROL_ALT, _SPACE = 4 | 8, 0x20

if __name__ == "__main__":
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
    code = x11.XKeysymToKeycode(display, ctypes.c_ulong(_SPACE))
    x11.XGrabKey(display, code, _CONTROL_ALT, root, 1, 1, 1)
    x11.XSync(display, 0)
    print("taken", flush=True)
    signal.pause()
