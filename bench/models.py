"""Download speed of a model: Scrubjay compared with curl, from a server on this computer.

`python -m bench.models [MEGABYTES]`. The server is a separate process and sends with sendfile.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.models.download.partial_file import PartialFile
from scrubjay.models.download.remote_file import RemoteFile
from scrubjay.models.download.transfer import DownloadRetries, ResumableDownload

assert sys.platform == "linux", "only Linux tells what is measured here"

_ROUNDS = 9
_SERVER = """
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        with open(sys.argv[1], "rb") as file:
            size = os.fstat(file.fileno()).st_size
            self.send_response(200)
            self.send_header("Content-Length", str(size))
            self.end_headers()
            self.wfile.flush()
            at = 0
            while at < size:
                at += os.sendfile(self.connection.fileno(), file.fileno(), at, size - at)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


def main(arguments: list[str]) -> int:
    """Print the medians, their ratio, and the memory of the download."""
    megabytes = int(arguments[0]) if arguments else 300
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        blob = folder / "blob"
        with blob.open("wb") as file:
            for _ in range(megabytes):
                file.write(os.urandom(1_000_000))
        with subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(blob)], stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout
            address = f"http://127.0.0.1:{server.stdout.readline().strip()}/blob"
            try:
                _compare(address, folder, megabytes)
            finally:
                server.terminate()
    return 0


def _compare(address: str, folder: Path, megabytes: int) -> None:
    curl = shutil.which("curl")
    if curl is None:
        print("curl is not on this computer.", file=sys.stderr)
        return
    runs: dict[str, Callable[[], object]] = {
        "curl": lambda: subprocess.run(
            [curl, "--silent", "--output", str(folder / "by-curl"), address], check=True
        ),
        "scrubjay": lambda: _fetch(address, folder, megabytes),
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    before = _peak_memory()
    for _ in range(_ROUNDS):
        for name, run in runs.items():
            for file in (folder / "by-curl", folder / "by-us.part"):
                file.unlink(missing_ok=True)
            began = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - began)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name, seconds in medians.items():
        print(f"{name:<10} {megabytes / seconds:>8.0f} MB/s")
    ratios = [ours / theirs for ours, theirs in zip(times["curl"], times["scrubjay"], strict=True)]
    print(f"{'ratio':<10} {statistics.median(ratios):>8.2f}  (SHA-256 included in ours only)")
    print(f"{'memory':<10} {_peak_memory() - before:>8.1f} MB more at the peak")


def _fetch(address: str, folder: Path, megabytes: int) -> None:
    remote = RemoteFile(address, megabytes * 1_000_000, None)
    transfer = ResumableDownload(
        lambda: remote,
        PartialFile(folder / "by-us"),
        cancel=CancelToken(),
        policy=DownloadRetries(),
    )
    transfer.run()


def _peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
