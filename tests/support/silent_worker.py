"""A llama child that takes requests and never answers, until it is killed."""

import threading

if __name__ == "__main__":
    threading.Event().wait()
