"""An S3 API server on loopback; prints its port, and ends when its input does.

    python s3_server.py

Who may do what is checked once PUT /moto-api/reset-auth has said so (see `object_store.py`).
"""

import logging
import sys

from moto.server import ThreadedMotoServer

if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    print(port, flush=True)
    sys.stdin.read()
    server.stop()
