"""Gemini's batches in Google AI Studio (`batchGenerateContent`): a file is uploaded, a batch of it
is started under a name of ours, and its results are read."""

import json
from collections.abc import AsyncIterator, Mapping
from os import SEEK_END
from typing import Any, BinaryIO

from yarl import URL

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.batches.refusals import BATCH_ERRORS, refused_as
from mirror_ray.providers.batches.result_lines import named_result
from mirror_ray.providers.batches.service import (
    BatchProgress,
    BatchResult,
    Bounds,
    SoughtBatch,
    not_reached,
    plain_name,
)
from mirror_ray.providers.batches.single_calls import BatchesOfCalls
from mirror_ray.providers.batches.wire import FILE_S, MOST_PAGES, PAGE_SIZE, objects_in
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.failed_call import http_code

_CALL, _BATCH_CALL = ":generateContent", ":batchGenerateContent"
_ENDS = frozenset({"SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"})
_UNREACHED = frozenset({"CANCELLED", "EXPIRED"})
_CANCELLED = 1
_STATUS_OF = {code: status for code, status, _ in BATCH_ERRORS["grpc"]}
_CODES = {code: name for code, _, name in BATCH_ERRORS["grpc"]}
_MOST_ERROR_CHARS = 8_000


class GeminiBatches(BatchesOfCalls):
    """A `BatchService`."""

    MOST = Bounds(100_000, 2 * 10**9)
    """2 GB per file, by Google's guide, which does not limit the number of requests."""

    async def body(self, request: Request) -> bytes:
        """Return a request's body for a batch, without the request's name."""
        return (await self._single_call(request)).body

    def line(self, body: bytes, custom_id: str) -> bytes:
        """Return a request's line in a batch's file."""
        return f'{{"key": {json.dumps(custom_id)}, "request": '.encode() + body + b"}\n"

    async def upload(self, lines: BinaryIO, batch_key: str) -> str:
        """Upload a file; return the provider's name of it."""
        place = await self._place()
        size = lines.seek(0, SEEK_END)
        lines.seek(0)
        begins = {
            "x-goog-upload-protocol": "resumable",
            "x-goog-upload-command": "start",
            "x-goog-upload-header-content-length": str(size),
            "x-goog-upload-header-content-type": "application/jsonl",
        }
        told, _ = await self._exchange(
            "POST",
            place.next_to("upload", "files"),
            {**place.headers, **begins},
            json={"file": {"display_name": _name(batch_key)}},
        )
        ends = {"x-goog-upload-offset": "0", "x-goog-upload-command": "upload, finalize"}
        kept = await self._object(
            "POST",
            place.own(told.get("x-goog-upload-url")),
            {**place.headers, "content-type": "application/jsonl", **ends},
            within_s=FILE_S,
            data=lines,
        )
        file = kept.get("file")
        return _own_name(file.get("name") if isinstance(file, dict) else None, "files")

    async def begin(self, upload: str, lines: BinaryIO, batch_key: str) -> str:
        """Begin a batch of an uploaded file; return the provider's name of it."""
        place = await self._place()
        wanted = {
            "batch": {
                "display_name": _name(batch_key),
                "input_config": {"file_name": f"files/{upload}"},
            }
        }
        told = await self._object("POST", place.begins, place.headers, json=wanted)
        return _own_name(told.get("name"), "batches")

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the provider's name of a batch that may have been begun, by our own name of it.
        Raise ConnectionError if there are too many to search."""
        place = await self._place()
        after: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            page = {"pageSize": str(PAGE_SIZE), **after}
            told = await self._object("GET", f"{place.root}/batches", place.headers, params=page)
            for one in objects_in(told, "operations"):
                if _metadata(one).get("displayName") == _name(sought.batch_key):
                    return _own_name(one.get("name"), "batches")
            token = told.get("nextPageToken")
            if not isinstance(token, str) or not token:
                return None
            after = {"pageToken": token}
        raise ConnectionError(f"more than {PAGE_SIZE * MOST_PAGES:,} batches")

    async def progress(self, maker_id: str) -> BatchProgress:
        """Return the batch's state. Raise LostBatchError if it is unknown, and ConnectionError if
        it has succeeded without naming its results."""
        place = await self._place()
        told = await self._object("GET", f"{place.root}/batches/{maker_id}", place.headers)
        state = _metadata(told).get("state")
        # JOB_STATE_… in the guide, BATCH_STATE_… in the reference.
        state = state.partition("_STATE_")[2] if isinstance(state, str) else ""
        error = told.get("error")
        file = _results_file(told)
        if state not in _ENDS and not (told.get("done") is True and (error or file)):
            return BatchProgress(ended=False)
        if file is not None:
            places = (_own_name(file, "files"),)
            left = state.lower() if state in _UNREACHED else None
            return BatchProgress(ended=True, results=places, unreached=left)
        if state in _UNREACHED:
            return BatchProgress(ended=True, unreached=state.lower())
        if state.endswith("SUCCEEDED"):
            raise ConnectionError("a batch has ended and names no results")
        code = error.get("code") if isinstance(error, dict) else None
        why = json.dumps(error)[:2_000]
        message = error.get("message") if isinstance(error, dict) else None
        kind = refused_as([(_CODES.get(code) if isinstance(code, int) else None, message)])
        return BatchProgress(True, refused=why, refused_as=kind)

    async def results(self, place: str, asks: int) -> AsyncIterator[BatchResult]:
        """Yield the results in a batch's file, in any order. Raise LostBatchError if the file is
        gone."""
        at = await self._place()
        address = f"{at.next_to('download', f'files/{place}')}:download?alt=media"
        async for line in self._lines(address, at.headers, asks):
            found = named_result(line, "key")
            if found is not None:
                yield BatchResult(found[0], await self._reply(found[1]))

    async def cancel(self, maker_id: str) -> None:
        """Cancel the batch; finished requests are billed, and can be read."""
        place = await self._place()
        await self._object("POST", f"{place.root}/batches/{maker_id}:cancel", place.headers)

    async def _place(self) -> "_Place":
        call = await self._single_call()
        return _Place(call.address.partition("?")[0], call.headers)

    async def _reply(self, told: Mapping[str, Any]) -> Reply:
        response, error = told.get("response"), told.get("error") or told.get("status")
        if isinstance(response, dict):
            return await self._reply_of(json.dumps(response).encode())
        code = error.get("code") if isinstance(error, dict) else None
        if code == _CANCELLED:
            return not_reached("cancelled")
        status = _STATUS_OF.get(code) if isinstance(code, int) else None
        why = json.dumps(error or "no response")[:_MOST_ERROR_CHARS]
        return self.failed(HttpError(status or http_code(code) or 500, {}, why))


class _Place:
    """The address of a model's single calls, and addresses next to it."""

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        self.headers = headers
        self.root = address.rpartition("/models/")[0]
        self.begins = address.removesuffix(_CALL) + _BATCH_CALL

    def next_to(self, way: str, rest: str) -> str:
        before, _, version = self.root.rpartition("/")
        return f"{before}/{way}/{version}/{rest}"

    def own(self, address: object) -> str:
        """Return an address that the provider named, if it is on the same server, because the
        address gets the requests and the key. Raise ConnectionError if it is invalid, or on another
        server."""
        try:
            told, own = URL(str(address)), URL(self.root)
        except ValueError as error:
            raise ConnectionError("the server names no address for an upload") from error
        if told.origin() != own.origin():
            raise ConnectionError("the server names another server's address for an upload")
        return str(told)


def _name(batch_key: str) -> str:
    return f"mirror-ray-{batch_key}"


def _own_name(value: object, kind: str) -> str:
    name = value.removeprefix(f"{kind}/") if isinstance(value, str) else value
    return plain_name(name, kind)


def _metadata(told: object) -> Mapping[str, Any]:
    metadata = told.get("metadata") if isinstance(told, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def _results_file(told: Mapping[str, Any]) -> object:
    for holder in (told.get("response"), _metadata(told).get("output")):
        if isinstance(holder, dict) and holder.get("responsesFile"):
            return holder["responsesFile"]
    return None
