"""A vision-language model with random weights behind OpenAI's protocol, on the CPU.

    python tiny_vision.py PORT [--size tiny|small] [--threads 1]

`tiny` answers at once, for tests. `small` costs as much as a real one: its eye has the shape of
CLIP's ViT-B/16, its text model that of a Llama of eight layers. Weights are made when it starts.
Its interpreter needs torch, transformers and Pillow. ``GET /seen`` tells the hashes of the pictures
as decoded, and what was counted.
"""

import argparse
import io
import json
from base64 import b64decode
from collections import Counter
from dataclasses import dataclass
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

PICTURE, BEGIN, TOKENS = 256, 257, 258
ENDS = list(range(16))
"""A token is a byte; a reply ends at a control character, or is cut."""
LONGEST_REPLY = 24


@dataclass(frozen=True)
class Size:
    """The shapes of a model's two parts: (width, width between, layers, heads)."""

    side_px: int
    patch_px: int
    vision: tuple[int, int, int, int]
    text: tuple[int, int, int, int]

    @property
    def patches(self) -> int:
        return (self.side_px // self.patch_px) ** 2


SIZES = {
    "tiny": Size(56, 14, (32, 64, 2, 2), (32, 64, 2, 2)),
    "small": Size(224, 16, (768, 3072, 12, 12), (384, 1024, 8, 6)),
}


def random_model(size: Size) -> LlavaForConditionalGeneration:
    torch.manual_seed(0)
    names = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
    vision, text = (dict(zip(names, part, strict=True)) for part in (size.vision, size.text))
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(**vision, image_size=size.side_px, patch_size=size.patch_px),
        text_config=LlamaConfig(**text, vocab_size=TOKENS, max_position_embeddings=16_384),
        image_token_index=PICTURE,
        image_seq_length=size.patches,
    )
    return LlavaForConditionalGeneration(config).eval()


class Model:
    """The model, its image processor, and what they have seen."""

    def __init__(self, size: Size) -> None:
        self._model, self._patches = random_model(size), size.patches
        side = {"height": size.side_px, "width": size.side_px}
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
                    ids += [PICTURE] * self._patches
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
    options = argparse.ArgumentParser()
    options.add_argument("port", type=int)
    options.add_argument("--size", choices=SIZES, default="tiny")
    options.add_argument("--threads", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    Handler.model = Model(SIZES[chosen.size])
    ThreadingHTTPServer(("127.0.0.1", chosen.port), Handler).serve_forever()
