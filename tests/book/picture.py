#!/usr/bin/python3
"""Takes the README's picture of the built book.

usage: picture.py [--page PAGE] [--scheme light|dark] [BOOK] [PNG]
(defaults: variance_expansion.html, light, build/book/html, docs/images/book.png)
"""

import argparse
import base64
import pathlib
import sys

from browser_test import FORMULAS_JS, Browser

WIDTH, HEIGHT = 1280, 800


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
    finally:
        browser.close()
    arguments.png.parent.mkdir(parents=True, exist_ok=True)
    arguments.png.write_bytes(base64.b64decode(shot))
    print(f"{arguments.png}: {arguments.png.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
