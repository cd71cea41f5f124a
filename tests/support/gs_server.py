"""A Google Cloud Storage server on loopback; prints its port, and ends when its input does.

python gs_server.py BUCKET
"""

import sys
from functools import partial
from http.server import HTTPServer
from threading import Thread

from gcp_storage_emulator.server import RequestHandler
from gcp_storage_emulator.storage import Storage


class Quiet(RequestHandler):
    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    storage = Storage(use_memory_fs=True)
    storage.create_bucket(sys.argv[1], {"name": sys.argv[1], "kind": "storage#bucket"})
    server = HTTPServer(("127.0.0.1", 0), partial(Quiet, storage))
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
