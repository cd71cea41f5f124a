"""A connection to a port on loopback that can be cut: the other end runs, and is unreachable."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer


class CuttableWire:
    """Forwards connections to `port` from a port of its own, while it is whole."""

    def __init__(self, port: int) -> None:
        whole = self._whole = threading.Event()
        ends = self._ends = set[socket.socket]()
        whole.set()

        class Forward(BaseRequestHandler):
            def handle(self) -> None:
                if not whole.is_set():
                    return
                with socket.create_connection(("127.0.0.1", port)) as far:
                    ends.update((self.request, far))
                    back = threading.Thread(target=_pump, args=(far, self.request))
                    back.start()
                    _pump(self.request, far)
                    back.join()

        self._server = ThreadingTCPServer(("127.0.0.1", 0), Forward)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def cut(self) -> None:
        """Ends every connection; new ones end at once."""
        self._whole.clear()
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._whole.set()

    def close(self) -> None:
        self.cut()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(2**16):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)


@contextmanager
def wire_to(port: int) -> Iterator[CuttableWire]:
    wire = CuttableWire(port)
    try:
        yield wire
    finally:
        wire.close()
