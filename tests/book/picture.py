#!/usr/bin/python3
"""Takes the README's picture of the built book.

usage: picture.py [--page PAGE] [--scheme light|dark] [BOOK] [PNG]
(defaults: variance_expansion.html, light, build/book/html, docs/images/book.png)

The picture gets a palette of at most 256 colours, which makes the file about a third of the size.
"""

import argparse
import base64
import pathlib
import struct
import sys
import zlib

from browser_test import FORMULAS_JS, Browser

WIDTH, HEIGHT = 1280, 800

# Rounds colours until 256 are enough; returns the palette and, in base64, the index of every pixel.
PALETTE_JS = r"""
const [png, done] = arguments, image = new Image();
image.onload = () => {
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const rgba = context.getImageData(0, 0, image.width, image.height).data;
  for (let levels = 256; ; levels /= 2) {
    const round = (c) => Math.round(Math.round(c / 255 * (levels - 1)) / (levels - 1) * 255);
    const palette = new Map(), index = new Uint8Array(rgba.length / 4);
    for (let i = 0; i < index.length && palette.size <= 256; ++i) {
      const colour = round(rgba[4 * i]) << 16 | round(rgba[4 * i + 1]) << 8 | round(rgba[4 * i + 2]);
      if (!palette.has(colour)) palette.set(colour, palette.size);
      index[i] = palette.get(colour);
    }
    if (palette.size > 256) continue;
    let text = "";
    for (let i = 0; i < index.length; i += 4096) text += String.fromCharCode(...index.subarray(i, i + 4096));
    return done([[...palette.keys()], btoa(text)]);
  }
};
image.src = "data:image/png;base64," + png;
"""


def png_file(width, height, palette, pixels):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + pixels[y * width:(y + 1) * width] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
            + chunk(b"PLTE", b"".join(struct.pack(">I", colour)[1:] for colour in palette))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description="Takes the README's picture of the built book.")
    parser.add_argument("book", nargs="?", default="build/book/html", type=pathlib.Path)
    parser.add_argument("png", nargs="?", default="docs/images/book.png", type=pathlib.Path)
    parser.add_argument("--page", default="variance_expansion.html")
    parser.add_argument("--scheme", default="light", choices=("light", "dark"))
    arguments = parser.parse_args()
    page = arguments.book.resolve() / arguments.page
    if not page.is_file():
        print(f"picture: no page at {page} (./run book writes it)", file=sys.stderr)
        return 2
    browser = Browser(page.parent)
    try:
        browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", dict(hidden=True))
        browser.show(dict(width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False), arguments.scheme)
        browser.driver.get(page.as_uri())
        browser.driver.execute_async_script(FORMULAS_JS)
        shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", dict(format="png"))["data"]
        palette, pixels = browser.driver.execute_async_script(PALETTE_JS, shot)
    finally:
        browser.close()
    arguments.png.parent.mkdir(parents=True, exist_ok=True)
    arguments.png.write_bytes(png_file(WIDTH, HEIGHT, palette, base64.b64decode(pixels)))
    print(f"{arguments.png}: {arguments.png.stat().st_size / 1000:.0f} kB, {len(palette)} colours")
    return 0


if __name__ == "__main__":
    sys.exit(main())
