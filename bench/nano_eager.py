# SPDX-License-Identifier: Apache-2.0
# The peer of nano_against_eager.py: the same model, data and optimiser in eager PyTorch, written as its users write it.
# Prints one JSON line: seconds per step over the timed steps, and the losses read after the timing.
import argparse
import json
import math
import pathlib
import time

import torch
import torch.nn.functional as F
from torch import nn

CONTEXT, BATCH, VOCABULARY = 128, 8, 256
WIDTH, LAYERS, HEADS, MLP = 128, 5, 4, 352
PEAK, WARM_UP, TOTAL, FLOOR = 3e-3, 60, 1600, 0.1


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(WIDTH, WIDTH, bias=False)
        self.k_proj = nn.Linear(WIDTH, WIDTH, bias=False)
        self.v_proj = nn.Linear(WIDTH, WIDTH, bias=False)
        self.o_proj = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, cosine, sine):
        batch, context, width = x.shape
        q, k, v = (p(x).view(batch, context, HEADS, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (t * cosine + rotate_half(t) * sine for t in (q, k))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, context, width))


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(WIDTH, MLP, bias=False)
        self.up_proj = nn.Linear(WIDTH, MLP, bias=False)
        self.down_proj = nn.Linear(MLP, WIDTH, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn, self.mlp = Attention(), Mlp()
        self.input_layernorm, self.post_attention_layernorm = nn.RMSNorm(WIDTH, 1e-5), nn.RMSNorm(WIDTH, 1e-5)

    def forward(self, x, cosine, sine):
        x = x + self.self_attn(self.input_layernorm(x), cosine, sine)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH, 1e-5)
        self.lm_head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        half = WIDTH // HEADS // 2
        angle = torch.outer(torch.arange(CONTEXT), 1e4 ** (-torch.arange(half) / half)).repeat(1, 2)
        self.register_buffer("cosine", angle.cos())
        self.register_buffer("sine", angle.sin())
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                residual = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * LAYERS) if residual else 0.02)

    def forward(self, tokens):
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, self.cosine, self.sine)
        return self.lm_head(self.norm(x))


def corpus():
    root = pathlib.Path(torch.__file__).parent
    paths = sorted(p for p in root.rglob("*.py") if p != root / "version.py")
    text = b"".join(path.read_bytes() for index, path in enumerate(paths) if index % 100 != 0)
    return torch.frombuffer(bytearray(text), dtype=torch.uint8)


def rate(step):
    if step < WARM_UP:
        return PEAK * step / WARM_UP
    wave = 0.5 * (1 + math.cos(math.pi * min(1.0, (step - WARM_UP) / (TOTAL - WARM_UP))))
    return PEAK * (FLOOR + (1 - FLOOR) * wave)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--skip", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1234)
    model, text = Llama(), corpus()
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=PEAK, betas=(0.9, 0.95), fused=True)
    losses = []
    for step in range(arguments.skip + arguments.steps):
        if step == arguments.skip:
            start = time.perf_counter()
        starts = torch.randint(len(text) - CONTEXT, (BATCH,))
        windows = torch.stack([text[s : s + CONTEXT + 1] for s in starts]).long()
        logits = model(windows[:, :-1])
        loss = F.cross_entropy(logits.view(-1, VOCABULARY), windows[:, 1:].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.detach())
    seconds = (time.perf_counter() - start) / arguments.steps
    print(json.dumps({"seconds_per_step": seconds, "first_loss": losses[0].item(), "last_loss": losses[-1].item()}))


if __name__ == "__main__":
    main()
