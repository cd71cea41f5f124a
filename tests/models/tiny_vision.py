"""A tiny vision-language model with random weights behind OpenAI's protocol, on the CPU.

    python tiny_vision.py PORT

Weights are made when it starts. Its interpreter needs torch, transformers and Pillow. ``GET /seen``
tells the hashes of the pictures as decoded, and what was counted.
"""

import io
import json
import sys
from base64 import b64decode
from collections import Counter
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from zlib import crc32

import torch
from PIL import Image
from transformers import (
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
)

SIDE_PX, PATCH_PX = 56, 14
PATCHES = (SIDE_PX // PATCH_PX) ** 2
PICTURE, BEGIN, TOKENS = 256, 257, 258
ENDS = list(range(16))
"""A token is a byte; a reply ends at a control character, or is cut."""
LONGEST_REPLY = 24


def random_model() -> LlavaForConditionalGeneration:
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 2}
    vision = CLIPVisionConfig(**sizes, **heads, image_size=SIDE_PX, patch_size=PATCH_PX)
    text = LlamaConfig(**sizes, **heads, vocab_size=TOKENS, max_position_embeddings=16_384)
    config = LlavaConfig(
        vision_config=vision, text_config=text, image_token_index=PICTURE, image_seq_length=PATCHES
    )
    return LlavaForConditionalGeneration(config).eval()


class Model:
    """The model, its image processor, and what they have seen."""

    def __init__(self) -> None:
        self._model = random_model()
        side = {"height": SIDE_PX, "width": SIDE_PX}
        self._processor = CLIPImageProcessorPil(size=side, crop_size=side)
        self._one_at_a_time = Lock()
        self.seen = {"calls": 0, "tokens_in": 0, "tokens_out": 0}
        self.seen |= {"pictures": [], "forms": Counter()}

    def answer(self, body: dict) -> dict:
        ids, pictures = [BEGIN], []
        for message in body["messages"]:
            parts = message["content"]
            for part in [{"text": parts}] if isinstance(parts, str) else parts:
                if "image_url" in part:
                    data = b64decode(part["image_url"]["url"].partition(",")[2])
                    pictures.append(Image.open(io.BytesIO(data)).convert("RGB"))
                    ids += [PICTURE] * PATCHES
                else:
                    ids += part["text"].encode()
        with self._one_at_a_time, torch.no_grad():
            torch.manual_seed(crc32(repr(ids).encode()))
            given = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids))}
            if pictures:
                given |= self._processor(pictures, return_tensors="pt")
            most = min(LONGEST_REPLY, body.get("max_tokens") or LONGEST_REPLY)
            chosen = {"do_sample": bool(body.get("temperature")), "max_new_tokens": most}
            out = self._model.generate(**given, **chosen, eos_token_id=ENDS, pad_token_id=0)
            new = out[0, len(ids) :].tolist()
            self.seen["calls"] += 1
            self.seen["forms"][str((body.get("response_format") or {}).get("type"))] += 1
            self.seen["tokens_in"] += len(ids)
            self.seen["tokens_out"] += len(new)
            self.seen["pictures"] += [sha256(one.tobytes()).hexdigest() for one in pictures]
        text = bytes(token for token in new if 32 <= token < 256).decode(errors="replace")
        ended = "stop" if new and new[-1] in ENDS else "length"
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": ended}
        usage = {"prompt_tokens": len(ids), "completion_tokens": len(new)}
        return {"model": "tiny", "choices": [choice], "usage": usage}


class Handler(BaseHTTPRequestHandler):
    """OpenAI's protocol, as far as a run needs it."""

    protocol_version = "HTTP/1.1"
    model: Model

    def do_GET(self) -> None:
        self._reply(self.model.seen)

    def do_POST(self) -> None:
        self._reply(
            self.model.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        )

    def log_message(self, *_: object) -> None:
        pass

    def _reply(self, plain: dict) -> None:
        data = json.dumps(plain).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    torch.set_num_threads(1)
    Handler.model = Model()
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
