# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks of tokens, as eager PyTorch runs them: transformers of Hugging Face and two examples."""
from oplist import Model

ID = 8  # bytes of a token's number


class Tokens:
    """A list of operators of `rows` tokens a sample, hidden states of `width`."""

    def __init__(self, net, rows, width):
        self.net, self.rows, self.width = net, rows, width

    def put(self, op, **keys):
        self.net.put(op, **keys)

    def each(self, *ops, elements=None):
        for op in ops:
            if elements is None:
                elements = self.rows * self.width
            if op == "dropout":
                self.put(op, elements=elements, training=True)
            else:
                self.put(op, elements=elements)

    def linear(self, out, width=None, bias=True, rows=None, **more):
        keys = {"rows": rows or self.rows, "in": width or self.width, "out": out}
        self.put("linear", **keys, **({"bias": True} if bias else {}), **more)

    def embed(self, vocabulary, **more):
        self.put("embedding", rows=self.rows, width=self.width, vocabulary=vocabulary, **more)

    def norm(self):
        self.put("layer_norm", rows=self.rows, width=self.width)

    def loss(self, width, rows=None):
        self.put("cross_entropy", rows=rows or self.rows, width=width, training=True)

    def attend(self, heads, before, keys=None):
        """Scores, what runs on them (before: names of operators), and the sum of the values."""
        keys = keys or self.rows
        scores = heads * self.rows * keys
        self.put("matmul", batch=heads, m=self.rows, n=keys, k=self.width // heads)
        for op in before:
            if op == "softmax":
                self.put("softmax", rows=heads * self.rows, width=keys)
            else:
                self.each(op, elements=scores)
        self.put("matmul", batch=heads, m=self.rows, n=self.width // heads, k=keys)


# ---- BERT ----

def bert(layers, width, rows, head):
    """torch.matmul copies what it multiplies where heads are a view: queries, keys, values."""
    def build(net):
        t = Tokens(net, rows, width)
        for vocabulary in (30522, 2, 512):
            t.embed(vocabulary)
        t.each("add", "add")
        t.norm()
        t.each("dropout")
        for _ in range(layers):
            t.linear(width)
            t.linear(width, branch=True)
            t.linear(width, branch=True)
            t.each("copy", "copy", "copy")
            t.attend(width // 64, ("mul_scalar", "mask", "softmax", "dropout"))
            t.each("copy")
            t.linear(width)
            t.each("dropout", "add")
            t.norm()
            t.linear(4 * width)
            t.each("gelu", elements=4 * rows * width)
            t.linear(width, width=4 * width)
            t.each("dropout", "add")
            t.norm()
        head(t)
    return build


def pooler(t):
    t.linear(t.width, rows=1)
    t.each("tanh", elements=t.width)


def span(t):
    """BERT's pooler runs in Hugging Face's older code and in NVIDIA's; the loss has two parts."""
    pooler(t)
    t.linear(2)
    t.each("copy", "copy", elements=t.rows)
    t.loss(t.rows, rows=1)
    t.loss(t.rows, rows=1)


# ---- GPT ----

GELU_NEW = ("pow_scalar", "mul_scalar", "add", "mul_scalar", "tanh", "add_scalar", "mul_scalar",
            "mul")


def gpt(layers, width, heads, rows, vocabulary=50257):
    def build(net):
        t = Tokens(net, rows, width)
        t.embed(vocabulary)
        t.embed(rows)
        t.each("add", "dropout")
        for _ in range(layers):
            t.norm()
            t.linear(3 * width)
            t.each("copy", "copy", "copy")
            t.attend(heads, ("mul_scalar", "mask", "softmax", "dropout"))
            t.each("copy")
            t.linear(width)
            t.each("dropout", "add")
            t.norm()
            t.linear(4 * width)
            t.each(*GELU_NEW, elements=4 * rows * width)
            t.linear(width, width=4 * width)
            t.each("dropout", "add")
        t.norm()
        language_head(t, vocabulary)
    return build


def language_head(t, vocabulary):
    """Tied to the embedding; the loss is of the logits but the last, which are copied for it."""
    t.linear(vocabulary, bias=False, shared=True)
    t.put("copy", elements=(t.rows - 1) * vocabulary, training=True)
    t.loss(vocabulary, rows=t.rows - 1)


# ---- OPT ----

def opt(layers, width, heads, rows, vocabulary=50272):
    """No dropout of the scores; they are raised to the least fp32 after the mask is added."""
    def build(net):
        t = Tokens(net, rows, width)
        t.embed(vocabulary)
        t.embed(2048 + 2)
        t.each("add")
        for _ in range(layers):
            t.norm()
            t.linear(width)
            t.linear(width, branch=True)
            t.linear(width, branch=True)
            t.each("mul_scalar", "copy", "copy", "copy")
            t.attend(heads, ("mask", "max_scalar", "softmax"))
            t.each("copy")
            t.linear(width)
            t.each("dropout", "add")
            t.norm()
            t.linear(4 * width)
            t.each("relu", elements=4 * rows * width)
            t.linear(width, width=4 * width)
            t.each("dropout", "add")
        t.norm()
        language_head(t, vocabulary)
    return build


# ---- the examples of Gavel's jobs ----

def lstm(net):
    """cuDNN: the inputs of all steps in one product, then a product and a cell a step."""
    t = Tokens(net, 35, 200)
    t.embed(33278)
    t.each("dropout")
    for _ in range(2):
        t.linear(800)
        t.put("linear", **{"rows": 1, "in": 200, "out": 800, "bias": True, "steps": 35})
        t.put("lstm_cell", width=200, steps=35)
        t.each("dropout")
    t.linear(33278)
    t.loss(33278)


def multi30k_attention(t):
    t.linear(t.width)
    t.linear(t.width, branch=True)
    t.linear(t.width, branch=True)
    t.each("copy", "copy", "copy")
    t.each("mul_scalar")
    t.attend(8, ("mask", "softmax", "dropout"))
    t.each("copy")
    t.linear(t.width)
    t.each("dropout", "add")
    t.norm()


def multi30k_forward(t):
    t.linear(2048)
    t.each("relu", elements=t.rows * 2048)
    t.linear(t.width, width=2048)
    t.each("dropout", "add")
    t.norm()


def multi30k(net):
    """Sentences of both languages have 32 tokens with their filling."""
    t = Tokens(net, 32, 512)
    for side in ("encoder", "decoder"):
        t.embed(6060, **({"shared": True} if side == "decoder" else {}))
        t.each("add", "dropout")
        for _ in range(6):
            multi30k_attention(t)
            if side == "decoder":
                multi30k_attention(t)
            multi30k_forward(t)
    t.linear(6060, bias=False, shared=True)
    t.each("mul_scalar", elements=t.rows * 6060)
    t.loss(6060)


# ---- the table: published counts ----

COUNTED = "counted: no publication of this size"


def megatron(layers, width, rows, head, logits=None):
    """Multiply-adds of a forward pass by the formula of Narayanan et al. 2021, section 5.1."""
    return layers * (12 * rows * width ** 2 + 2 * rows ** 2 * width) + rows * width * head


FORMULA = ("Narayanan et al. 2021, Efficient large-scale language model training on GPU clusters, "
           "section 5.1: l (12 s h^2 + 2 s^2 h) + s h V")
BARE = FORMULA + " with V = 0"

MODELS = [
    Model("bert-base-squad", "BERT base, uncased, fine-tuned on SQuAD in windows of 384 tokens, as in "
          "transformers (eager attention), with pooler and span head.", 109483778,
          "google-research/bert, 110 M; with pooler (109,482,240) and span head (1,538)",
          megatron(12, 768, 384, 0), BARE, 3 * ID * 384, bert(12, 768, 384, span)),
    Model("bert-large-squad", "BERT large, uncased, fine-tuned on SQuAD in windows of 384 tokens, as "
          "in transformers (eager attention), with pooler and span head.", 335143938,
          "google-research/bert, 340 M; with pooler (335,141,888) and span head (2,050)",
          megatron(24, 1024, 384, 0), BARE, 3 * ID * 384, bert(24, 1024, 384, span)),
    Model("bert-large-512", "BERT large, uncased, on 512 tokens, as in transformers (eager "
          "attention): the bare model with its pooler, no head and no loss. That the model that "
          "NeuSight's authors timed had no head is an assumption.", 335141888,
          "google-research/bert, 340 M; bert-large-uncased with pooler",
          megatron(24, 1024, 512, 0), BARE, 3 * ID * 512, bert(24, 1024, 512, pooler)),
    Model("gpt2-1024", "GPT-2 small on 1,024 tokens, as in transformers (eager attention, gelu_new "
          "in eight kernels), with language head and its loss.", 124439808,
          "transformers, gpt2: 124 M", megatron(12, 768, 1024, 50257), FORMULA, ID * 1024,
          gpt(12, 768, 12, 1024)),
    Model("gpt2-large-1024", "GPT-2 large on 1,024 tokens, as gpt2-1024; timed by NeuSight's "
          "authors.", 774030080, "transformers, gpt2-large: 774 M",
          megatron(36, 1280, 1024, 50257), FORMULA, ID * 1024, gpt(36, 1280, 20, 1024)),
    Model("gpt3-xl-2048", "The model that NeuSight calls GPT-3 XL, on 2,048 tokens: 24 layers of "
          "width 3072, 24 heads (GPT-3 XL has 2048); code and head as of gpt2-1024.", 2879554560,
          COUNTED, megatron(24, 3072, 2048, 50257), FORMULA, ID * 2048, gpt(24, 3072, 24, 2048)),
    Model("gpt3-27-2048", "GPT-3 2.7B on 2,048 tokens: 32 layers of width 2560, 32 heads; code and "
          "head as of gpt2-1024; timed by NeuSight's authors.", 2651553280,
          "counted: 2.65 B, with GPT-2's 50,257 words; 2.7 B, Brown et al. 2020, table 2.1",
          megatron(32, 2560, 2048, 50257), FORMULA, ID * 2048, gpt(32, 2560, 32, 2048)),
    Model("opt-13-2048", "OPT-1.3B on 2,048 tokens: 24 layers of width 2048, 32 heads, as in "
          "transformers (eager attention), with language head and its loss; timed by NeuSight's "
          "authors.", 1315758080, "Zhang et al. 2022, 1.3 B; facebook/opt-1.3b",
          megatron(24, 2048, 2048, 50272), FORMULA, ID * 2048, opt(24, 2048, 32, 2048)),
    Model("lstm-wikitext2", "LSTM of 2 x 200 on WikiText-2 with 33,278 words, untied, as in "
          "PyTorch's word-language example, by cuDNN; a sample is a window of 35 tokens.", 13987678,
          COUNTED, 35 * (2 * 2 * 4 * 200 * 200 + 200 * 33278),
          "35 tokens, each with every weight of the LSTM and the head once", 35 * ID, lstm),
    Model("transformer-multi30k", "Transformer of base size (Vaswani et al. 2017) on Multi30k as in "
          "jadore801120/attention-is-all-you-need-pytorch; three tied embeddings of 6,060 words (a "
          "guess) and 32 tokens a sentence with its filling (another guess; 50 at most).", 47241216,
          COUNTED, 32 * (6 * 4 * 512 ** 2 + 6 * 8 * 512 ** 2 + 12 * 2 * 512 * 2048 + 18 * 2 * 32 * 512
                         + 512 * 6060),
          "32 tokens of either side: weights of the layers and the head once, 2 s h an attention",
          2 * 32 * ID, multi30k),
]
