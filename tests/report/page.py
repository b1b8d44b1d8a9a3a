# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as a browser would take it apart: python3 page.py FILE.html [TEXTS], a file of texts, one a line, each of which
the page must show."""
import base64
import hashlib
import html.parser
import re
import sys

path = sys.argv[1]
with open(path, "rb") as f:
    raw = f.read()
page = raw.decode("utf-8")
failed = []
TAGS = set("html head meta title style body main h1 h2 h3 p b ul li table caption thead tbody tr th td figure figcaption svg path text "
           "circle rect span details summary pre code script".split())
VOID = {"meta"}
ATTRIBUTES = set("lang charset http-equiv content name id scope class viewbox width height role aria-label d x y cx cy r font-weight "
                 "text-anchor stroke-dasharray stroke-width preserveaspectratio data-end".split())


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.raw, self.text, self.ids, self.policy, self.count = [], {}, [], [], None, {}

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in TAGS:
            failed.append(f"a tag <{tag}> at {self.getpos()}")
        for name, value in attributes:
            if name not in ATTRIBUTES:
                failed.append(f"an attribute {name}={value!r} of <{tag}>")
            if name == "id":
                self.ids.append(value)
        if dict(attributes).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attributes)["content"]
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            failed.append(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.raw[self.open[-1]] = self.raw.get(self.open[-1], "") + data
        else:
            self.text.append(data)

    def handle_comment(self, data):
        failed.append(f"a comment {data!r}")


def want(condition, what):
    if not condition:
        failed.append(what)


p = Page()
p.feed(page)
p.close()
text = "".join(p.text)
want(not p.open, f"not closed: {p.open}")
want(len(raw) <= 1000000, f"{len(raw)} bytes")
want(len(p.ids) == len(set(p.ids)), "an id is there twice")
want(p.count.get("script") == 1 and p.count.get("style") == 1, "wanted one script and one style")
for what in ("style", "script"):
    digest = base64.b64encode(hashlib.sha256(p.raw.get(what, "").encode()).digest()).decode()
    want(f"{what}-src 'sha256-{digest}';" in (p.policy or ""), f"the policy does not have the hash of the {what}")
want((p.policy or "").startswith("default-src 'none';") and "unsafe" not in p.policy and "*" not in p.policy, "the policy is not strict")
want(not re.search(r"(href|src|url|import|fetch|XMLHttp)\b", p.raw.get("style", "") + p.raw.get("script", "")), "style or script load something")
want(not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202e]", page), "control characters")
for part in ("Verdict", "What this does not say", "Provenance", "hetune report"):
    want(part in text, f"nothing says {part}")
if len(sys.argv) > 2:
    with open(sys.argv[2], encoding="utf-8") as f:
        for line in f.read().split("\n")[:-1]:
            want(line[:60] in text, f"{line!r} is not shown")

for what in failed[:20]:
    print(f"{path}: {what}")
sys.exit(1 if failed else 0)
