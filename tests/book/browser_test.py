#!/usr/bin/python3
"""Reads the built book the way its readers do, and names the page of every fault it finds.

usage: browser_test.py [BOOK]       (BOOK defaults to build/book/html)

Files are checked with an HTML parser: dead links and anchors, resources from outside, empty snippets,
size. The rest is checked in Chromium, on a phone of 390 px and on a desktop of 1280 px, in light and
in dark: content past its column or cut off by its box, a second vertical scroll bar, cells without room for their
words, formulas that failed or were left as source, console errors, requests outside the book, contrast. The test tests itself as well: pages with planted faults
of each kind are added to a copy of the book, and each fault must be found there.

Exit status: 0 no fault, 1 faults (or a planted one missed), 2 the test could not run.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import sys
import tempfile
import time
import urllib.parse
import zlib
from html.parser import HTMLParser

MAX_BYTES = 12_000_000
MIN_CONTRAST = 4.5
SESSIONS = 2
PHONE = dict(width=390, height=844, deviceScaleFactor=1, mobile=True)
DESKTOP = dict(width=1280, height=860, deviceScaleFactor=1, mobile=False)

# Widths move things and schemes colour them, so that two views show what four would; all pages share the styles, so
# that every second page shows what the others miss.
VIEWS = [((PHONE, "light"), (DESKTOP, "dark")), ((PHONE, "dark"), (DESKTOP, "light"))]

# Pages that Doxygen writes from headers all look alike: one view in turn is enough for each of them.
REFERENCE = re.compile(r"^(class|struct|union|namespace)|^dir_|_8hpp")

Fault = collections.namedtuple("Fault", "page kind text")


# ------------------------------------------------------------------------------------ files


class Page(HTMLParser):
    """What a page defines and refers to, and the text of its snippets."""

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.resources, self.snippets = set(), [], [], []
        self._depth = 0  # of open elements inside a fragment
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(v for v in (attributes.get("id"), attributes.get("name") if tag == "a" else None) if v)
        if tag in ("a", "area"):
            self.links += [v for k, v in attributes.items() if k in ("href", "xlink:href") and v]
        elif tag == "link" and attributes.get("href"):
            self.resources.append(attributes["href"])
        elif attributes.get("src"):
            self.resources.append(attributes["src"])
        if "fragment" in (attributes.get("class") or "").split() and not self._depth:
            self.snippets.append("")
            self._depth = 1
        elif self._depth and tag not in self.VOID:
            self._depth += 1

    def handle_startendtag(self, tag, attributes):
        depth = self._depth
        self.handle_starttag(tag, attributes)
        self._depth = depth

    def handle_endtag(self, tag):
        if self._depth and tag not in self.VOID:
            self._depth -= 1

    def handle_data(self, data):
        if self._depth:
            self.snippets[-1] += data


def views_of(name):
    number = zlib.crc32(name.encode())  # of the name alone, so that a new page changes no other's view
    views = VIEWS[number % 2]
    return (views[number // 2 % 2],) if REFERENCE.search(name) else views


def links_of_scripts(book):
    """Links that only the scripts of the tree and of the menu hold."""
    for name in ("navtreedata.js", "menudata.js"):
        script = book / name
        if script.exists():
            text = script.read_text(encoding="utf-8").split("var NAVTREEINDEX")[0]  # keys of a search, not links
            for link in re.findall(r'"([^"\s]+\.html(?:#[^"]*)?)"', text):
                yield name, link


def check_files(book, names):
    pages = {path.name: Page(path) for path in book.glob("*.html")}
    faults = []

    def resolve(page, link):
        url = urllib.parse.urlsplit(link)
        if url.scheme or url.netloc:
            return
        target = urllib.parse.unquote(url.path) or page
        anchor = urllib.parse.unquote(url.fragment)
        if not (book / target).is_file():
            faults.append(Fault(page, "dead link", f"{link}: there is no {target}"))
        elif anchor and target in pages and anchor not in pages[target].ids:
            faults.append(Fault(page, "dead anchor", f"{link}: {target} has no anchor {anchor}"))

    for name in names:
        page = pages[name]
        # such a name counts the headings before it
        faults += [Fault(name, "shifting anchor", a) for a in sorted(page.ids) if a.startswith("autotoc_md")]
        for link in page.links:
            if not link.startswith("javascript:"):
                resolve(name, link)
        for link in page.resources:
            if urllib.parse.urlsplit(link).scheme in ("http", "https") or link.startswith("//"):
                faults.append(Fault(name, "outside", f"loads {link}"))
            else:
                resolve(name, link)
        for i, snippet in enumerate(page.snippets, 1):
            if not snippet.strip():
                faults.append(Fault(name, "empty snippet", f"snippet {i} of {len(page.snippets)} has no text"))
    for script, link in links_of_scripts(book):
        before = len(faults)
        resolve(script, link)
        faults[before:] = [f._replace(page=script) for f in faults[before:]]
    return faults


def check_size(book):
    size = sum(path.stat().st_size for path in book.rglob("*") if path.is_file())
    if size > MAX_BYTES:
        return [Fault("the book", "size", f"{size / 1e6:.1f} MB, at most {MAX_BYTES / 1e6:.0f} MB")]
    return []


# ---------------------------------------------------------------------------------- browser

# Waits for the page and for MathJax, then tells which formulas failed and what was left as source.
FORMULAS_JS = r"""
const done = arguments[arguments.length - 1];
const hasError = (m) => Boolean(m) && (m.type === "merror" || (m.data || []).some((d) => d && d.data && hasError(d)));
function report() {
  const faults = [];
  const shown = (s) => s.replace(/\s+/g, " ").trim().slice(0, 90);
  for (const script of document.querySelectorAll('script[type^="math/tex"]')) {
    const jax = window.MathJax && MathJax.Hub && MathJax.Hub.getJaxFor(script);
    if (!jax || !jax.root || hasError(jax.root))
      faults.push(["formula", "MathJax cannot set: " + shown(script.textContent)]);
  }
  for (const span of document.querySelectorAll(".MathJax_Error"))
    faults.push(["formula", "MathJax stopped: " + shown(span.textContent)]);
  const skip = "script, style, pre, code, .fragment, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_Preview, .memproto, .memname";
  const walk = document.createTreeWalker(document.getElementById("doc-content"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const found = node.data.match(/\\f[$[{]|\$|\\[()[\]]|\\ilinebr|\\(?:ref|hyp|step|snippet|htmlinclude)\b|^\s*\[[a-z_]+\](?=\s)/);
    if (found && !node.parentElement.closest(skip))
      faults.push(["leftover", found[0] + " in the text: " + shown(node.data.slice(Math.max(0, found.index - 30)))]);
  }
  done(faults);
}
function start() {
  if (window.MathJax && MathJax.Hub) MathJax.Hub.Queue(() => setTimeout(report, 0));
  else report();
}
if (document.readyState === "complete") start(); else window.addEventListener("load", start);
"""

# Everything that reaches past the column and is not inside a box that scrolls sideways and stays within it; and what a
# box within the column hides.
OVERFLOW_JS = r"""
const column = document.getElementById("doc-content"), box = column.getBoundingClientRect();
const left = box.left - 1, right = box.left + column.clientWidth + 1;
const outside = (r) => r.width > 0 && r.height > 0 && (r.right > right || r.left < left);
const faults = [];
for (const element of column.querySelectorAll("*")) {
  if (element.ownerSVGElement) continue;
  const rect = element.getBoundingClientRect();
  if (!outside(rect) || getComputedStyle(element).visibility === "hidden") continue;
  let boxed = false;
  for (let e = element.parentElement; e && e !== column && !boxed; e = e.parentElement)
    boxed = /auto|scroll/.test(getComputedStyle(e).overflowX) && !outside(e.getBoundingClientRect());
  if (boxed || faults.some(([e]) => e.contains(element))) continue;
  faults.push([element, rect]);
}
// Within the column: a box that hides a part of its content, and one that scrolls up and down inside the page.
const boxes = [];
for (const e of column.querySelectorAll("*")) {
  const wide = e.scrollWidth > e.clientWidth + 1, high = e.scrollHeight > e.clientHeight;
  if (!e.clientWidth || !(wide || high) || e.ownerSVGElement || e.closest("svg")) continue;
  const style = getComputedStyle(e), text = e.textContent.trim().slice(0, 50);
  if (wide && /hidden|clip/.test(style.overflowX)) boxes.push(["clipped", `of ${e.scrollWidth} px ${e.clientWidth} are seen: ${text}`]);
  if (high && /auto|scroll/.test(style.overflowY))
    boxes.push(["second scroll bar", `${e.clientHeight} px for ${e.scrollHeight}: ${text}`]);
}
const squeezed = [...column.querySelectorAll("td")].filter(
  (e) => e.clientWidth > 0 && e.clientWidth < 50 && e.innerText.trim().length > 12);
return boxes.concat(squeezed.map((e) => ["squeezed", `a cell of ${e.clientWidth} px: ${e.innerText.trim().slice(0, 50)}`]), faults.map(([e, r]) => ["overflow",
  `<${e.tagName.toLowerCase()}${e.className ? " class=" + e.className : ""}> spans ${Math.round(r.left)} to ` +
  `${Math.round(r.right)}, the column ends at ${Math.round(right - 1)}: ${e.textContent.trim().slice(0, 50)}`]));
"""

# Each pair of text colour and background once, with what is behind the text taken through transparent layers.
CONTRAST_JS = r"""
const least = arguments[0];
function rgba(text) {
  const mixed = /^color\(srgb /.test(text);  // what color-mix() computes to, in parts of 1
  const n = (text.match(/[\d.]+(e-\d+)?/g) || []).map(Number).map((x, i) => mixed && i < 3 ? 255 * x : x);
  if (mixed) return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1];
  return /^rgb/.test(text) ? [n[0], n[1], n[2], n.length > 3 ? n[3] : 1] : null;
}
const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const light = (c) => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const backs = new Map();
function behind(element) {
  if (!element) return [255, 255, 255, 1];
  if (!backs.has(element)) {
    const c = rgba(getComputedStyle(element).backgroundColor);
    backs.set(element, !c || c[3] === 0 ? behind(element.parentElement) : c[3] === 1 ? c : over(c, behind(element.parentElement)));
  }
  return backs.get(element);
}
const opacities = new Map();
function opacity(element) {
  if (!element) return 1;
  if (!opacities.has(element))
    opacities.set(element, Number(getComputedStyle(element).opacity) * opacity(element.parentElement));
  return opacities.get(element);
}
function behindSvgText(text) {
  const node = text.closest("g.node, g.cluster");
  const shape = node && node.querySelector("path, polygon, ellipse, rect");
  const fill = shape && rgba(getComputedStyle(shape).fill);
  const page = behind(text.ownerSVGElement.parentElement);
  return fill && getComputedStyle(shape).fill !== "none" ? over(fill, page) : page;
}
const seen = new Map();
function check(element, colour, back, what) {
  const c = rgba(colour);
  if (!c) return;
  c[3] *= opacity(element);
  const a = light(over(c, back)), b = light(back);
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < least && !seen.has(colour + back))
    seen.set(colour + back, ["contrast", `${ratio.toFixed(2)} (at least ${least}) for ${what}: ${element.textContent.trim().slice(0, 40)}`]);
}
for (const text of document.querySelectorAll("#doc-content svg text")) {
  if (text.closest(".MathJax_SVG")) continue;
  check(text, getComputedStyle(text).fill, behindSvgText(text), "text of a picture");
}
const walk = document.createTreeWalker(document.querySelector("#doc-content .contents") || document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walk.nextNode());) {
  const e = node.parentElement;
  if (!node.data.trim() || e.ownerSVGElement || e.closest("script, style, .ttc, svg") || !e.offsetParent) continue;
  check(e, getComputedStyle(e).color, behind(e), "text in <" + e.tagName.toLowerCase() + ">");
}
return [...seen.values()];
"""


class Browser:
    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
        from selenium.webdriver.common import utils

        class LocalService(Service):
            """By address, since a bare system without /etc/hosts does not know localhost."""

            @property
            def service_url(self):
                return f"http://127.0.0.1:{self.port}"

            def is_connectable(self):
                return utils.is_connectable(self.port, "127.0.0.1")

        self.view = None
        self.home = tempfile.mkdtemp(prefix="rootdk-book-")
        options = Options()
        options.binary_location = shutil.which("chromium") or "/usr/bin/chromium"
        # The pages are ours and local; Chromium's own sandbox needs rights that root and containers lack.
        for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run",
                     "disable-background-networking", "disable-component-update", "disable-sync",
                     "disable-extensions", "process-per-site", "disable-features=BackForwardCache",
                     "disable-dev-shm-usage", "remote-debugging-pipe", f"user-data-dir={self.home}/profile"):
            options.add_argument("--" + flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = LocalService(shutil.which("chromedriver") or "/usr/bin/chromedriver",
                               env=dict(os.environ, HOME=self.home))
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)
        self.driver.execute_cdp_cmd("Network.enable", {})

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.home, ignore_errors=True)

    def emulate(self, device, scheme, medium=""):
        self.view = device, scheme
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dict(
            media=medium, features=[dict(name="prefers-color-scheme", value=scheme)]))

    def show(self, device, scheme, medium=""):
        self.emulate(device, scheme, medium)
        # Two frames: one for the listeners, one for the layout they cause.
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")

    def logged(self, book):
        """Console errors and requests outside the book since the last call."""
        inside = book.as_uri() + "/"
        for entry in self.driver.get_log("browser"):
            if entry["level"] == "SEVERE":
                yield "console", entry["message"].replace(inside, "")[:160]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((inside, "data:", "about:", "javascript:", "blob:")):
                    yield "outside", f"requests {url}"

    def check(self, book, name, views):
        def fault(kind, text, view=""):
            faults.append(Fault(name, kind, f"{text} [{view}]" if view else text))

        faults = []
        list(self.logged(book))
        if self.view in views:
            at = views.index(self.view)
            views = views[at:] + views[:at]
        else:
            self.emulate(*views[0])
        self.driver.get((book / name).as_uri())
        for kind, text in self.driver.execute_async_script(FORMULAS_JS):
            fault(kind, text)
        seen = set()
        for device, scheme in views:
            if (device, scheme) != self.view:
                self.show(device, scheme)
            found = self.driver.execute_script(OVERFLOW_JS) + self.driver.execute_script(CONTRAST_JS, MIN_CONTRAST)
            for kind, text in found:
                if text not in seen:
                    fault(kind, text, f"{device['width']} {scheme}")
                seen.add(text)
        for kind, text in self.logged(book):
            fault(kind, text)
        return faults

    def check_controls(self, book):
        """Search, the switch to dark, the copy button, and paper: once for the whole book."""
        from selenium.webdriver.common.by import By

        def fault(name, text):
            faults.append(Fault(name, "control", text))

        def wait(script):
            for _ in range(50):
                if self.driver.execute_script(script):
                    return True
                time.sleep(0.1)
            return False

        faults = []
        self.show(DESKTOP, "light")
        self.driver.get((book / "index.html").as_uri())
        if not wait("return document.querySelector('doxygen-awesome-dark-mode-toggle') && document.getElementById('MSearchField')"):
            return [Fault("index.html", "control", "there is no search box or no switch to dark")]
        background = "return getComputedStyle(document.body).backgroundColor"
        before = self.driver.execute_script(background)
        self.driver.find_element(By.CSS_SELECTOR, "doxygen-awesome-dark-mode-toggle").click()
        if self.driver.execute_script(background) == before:
            fault("index.html", "the switch to dark changes nothing")
        self.driver.execute_script("localStorage.clear()")
        self.driver.find_element(By.ID, "MSearchField").send_keys("variance")
        if not wait("const box = document.getElementById('MSearchResultsWindow');"
                    "return box && getComputedStyle(box).display !== 'none'"):
            fault("index.html", "a search for 'variance' shows no results")

        steps = [p for p in book.glob("*.html") if "rdk-copy" in p.read_text(encoding="utf-8")]
        if not steps:
            fault("the book", "no page has a copy button")
            return faults
        step = steps[0].name
        self.driver.get(steps[0].as_uri())
        button = self.driver.find_element(By.CSS_SELECTOR, "button.rdk-copy")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        if not wait("return /Copied|Selected/.test(document.querySelector('button.rdk-copy').textContent)"):
            fault(step, "the copy button does nothing")
        self.show(DESKTOP, "dark", "print")
        printed = self.driver.execute_script(
            "const s = (q) => getComputedStyle(document.querySelector(q));"
            "return [s('#side-nav').display, s('#doc-content').overflowY, s('#doc-content').backgroundColor]")
        if printed != ["none", "visible", "rgb(255, 255, 255)"]:
            fault(step, f"on paper: side bar, overflow, background are {printed}")
        for _, text in self.driver.execute_script(CONTRAST_JS, MIN_CONTRAST):
            fault(step, f"on paper: contrast {text}")
        self.show(DESKTOP, "light")
        return faults


def check_in_browser(book, names, planted):
    """The faults of some pages of the book, and those of the pages in the copy with planted ones."""
    waiting = queue.SimpleQueue()
    work = [(book, name, views_of(name)) for name in names]
    # by view, since each change of it costs a layout
    for page in sorted(work, key=lambda w: (len(w[2]), str(w[2]))):
        waiting.put(page)
    for path in planted:
        waiting.put((path.parent, path.name, VIEWS[0]))

    def session(number):
        faults, browser = [], Browser()
        try:
            if number == 0:
                faults += browser.check_controls(book)
            while True:
                try:
                    page = waiting.get_nowait()
                except queue.Empty:
                    return faults
                faults += browser.check(*page)
        finally:
            browser.close()

    with concurrent.futures.ThreadPoolExecutor(SESSIONS) as pool:
        return [fault for faults in pool.map(session, range(SESSIONS)) for fault in faults]


# ---------------------------------------------------------------------------- planted faults

NODE = ('<svg class="rdk-graph" width="120" height="40"><g class="node rdk-verified">'
        '<polygon points="0,0 120,0 120,40 0,40" style="fill:{back}"/>'
        '<text x="10" y="25" style="fill:{ink}">step</text></g></svg>')

# For each page that is added: the faults put at the start of its text, each with its kind and with words that tell its
# report from those of the others.
PLANTED = {
    "planted_layout.html": [
        ("overflow", "wider than a phone", '<div style="width:500px">wider than a phone</div>'),
        ("overflow", "cut off", '<div style="overflow:hidden"><div style="width:500px">cut off</div></div>'),
        ("overflow", "the scrolling box",
         '<div style="overflow-x:auto;width:500px">the scrolling box itself is too wide</div>'),
        ("overflow", "wider than a desktop",
         '<div style="width:100%"><div style="width:1400px">wider than a desktop</div></div>'),
        ("clipped", "text in a short box",
         '<div style="overflow-x:hidden;white-space:nowrap;width:90px">text in a short box that hides its end</div>'),
        ("second scroll bar", "lines in a low box",
         '<div style="overflow-x:auto;height:30px">lines in a low box<br/>second<br/>third</div>'),
        ("squeezed", "words without room",
         '<table><tr><td style="display:block;width:30px">words without room</td></tr></table>'),
    ],
    "planted_formulas.html": [
        ("formula", "nosuchcommand", r"<p>\( \nosuchcommand x \)</p>"),
        ("formula", r"\frac{1}{2", r"<p>\( \frac{1}{2 \)</p>"),
        ("leftover", r"\f$ in the text", r"<p>the value \f$ x \f$ here</p>"),
        ("leftover", "the value $x$", "<p>the value $x$ here</p>"),
        ("leftover", r"\( in the text", r"<p>the value \( x here</p>"),
        ("leftover", "[name_of_snippet]", "<p>[name_of_snippet] its text</p>"),
    ],
    "planted_scripts.html": [
        ("console", "undefined_function", "<script>undefined_function();</script>"),
        ("outside", "loads http://book.invalid/image.png", '<img alt="" src="http://book.invalid/image.png"/>'),
        ("outside", "requests http://book.invalid/image.png", ""),  # the same image
        ("outside", "requests http://book.invalid/fetched", "<script>fetch('http://book.invalid/fetched').catch(() => 0);</script>"),
    ],
    "planted_contrast.html": [
        ("contrast", "text of a picture: step", NODE.format(back="#eeeeee", ink="#cccccc")),
        ("contrast", "text of a picture: edge in the dark", '<svg class="rdk-graph" width="120" height="40"><g class="edge">'
         '<text x="10" y="25" style="fill:#000">edge in the dark</text></g></svg>'),
        ("contrast", "pale on white", '<p style="color:#bbb;background:#fff">pale on white</p>'),
        ("contrast", "dark and transparent",
         '<div style="opacity:.3"><p style="color:#000;background:#fff">dark and transparent</p></div>'),
        ("contrast", "pale on a mixture",
         '<p style="color:#bbb;background:color-mix(in srgb, #fff 90%, #eee)">pale on a mixture</p>'),
    ],
    "planted_files.html": [
        ("dead link", "no_such_page.html", '<a href="no_such_page.html">x</a>'),
        ("dead link", "no_such_image.svg", '<img alt="" src="no_such_image.svg"/>'),
        ("dead anchor", "no_such_anchor", '<a href="#no_such_anchor">x</a>'),
        ("shifting anchor", "autotoc_md0", '<h2><a class="anchor" id="autotoc_md0"></a>x</h2>'),
        ("empty snippet", "has no text", '<div class="fragment"><div class="line"> </div></div>'),
    ],
}


def plant(book, folder):
    """A copy of the book with the pages of PLANTED and a file that makes it too large."""
    copy = folder / "book"
    shutil.copytree(book, copy)
    original = (copy / "index.html").read_text(encoding="utf-8")
    start = '<div class="textblock">'
    if original.count(start) != 1:
        raise RuntimeError(f"index.html has {original.count(start)} text blocks, expected 1")
    for name, faults in PLANTED.items():
        planted = start + "".join(html for _, _, html in faults)
        (copy / name).write_text(original.replace(start, planted), encoding="utf-8")
    (copy / "large.bin").write_bytes(bytes(MAX_BYTES))
    return copy


def missed_of(faults):
    """The planted faults that are not among those found."""
    for page, planted in PLANTED.items():
        for kind, words, _ in planted:
            if not any(f.page == page and f.kind == kind and words in f.text for f in faults):
                yield f"{page}: {kind}: {words}"
    if not any(f.kind == "size" for f in faults):
        yield "the book: size"


def main():
    parser = argparse.ArgumentParser(description="Checks the built book in a browser.")
    parser.add_argument("book", nargs="?", default="build/book/html", type=pathlib.Path)
    arguments = parser.parse_args()
    book = arguments.book.resolve()
    if not (book / "index.html").is_file():
        print(f"browser_test: no book at {arguments.book} (./run book writes it)", file=sys.stderr)
        return 2
    try:
        import selenium  # noqa: F401
    except ImportError:
        print("browser_test: needs python3-selenium, chromium and chromium-driver", file=sys.stderr)
        return 2

    start = time.monotonic()
    names = sorted(path.name for path in book.glob("*.html"))
    with tempfile.TemporaryDirectory(prefix="rootdk-planted-") as folder:
        copy = plant(book, pathlib.Path(folder))
        seen = check_in_browser(book, names, [copy / name for name in PLANTED])
        planted = check_size(copy) + check_files(copy, list(PLANTED)) + [f for f in seen if f.page in PLANTED]
    faults = sorted({*check_size(book), *check_files(book, names), *(f for f in seen if f.page not in PLANTED)})
    missed = list(missed_of(planted))
    for fault in faults:
        print(f"FAULT {fault.page}: {fault.kind}: {fault.text}")
    for fault in missed:
        print(f"MISSED {fault} (planted to test this test)")
    total = sum(map(len, PLANTED.values())) + 1
    print(f"browser_test: {len(names)} pages, {len(faults)} faults; {total - len(missed)} of {total} planted faults found; "
          f"{time.monotonic() - start:.0f} s")
    return 1 if faults or missed else 0


if __name__ == "__main__":
    sys.exit(main())
