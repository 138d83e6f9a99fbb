#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the charts of a report: Vega-Lite specifications to SVG and PNG, and the JavaScript that draws them in a page.

Usage: draw_charts.py FOLDER. FOLDER/request.json holds {"panels": [{"file", "specification"}], "png", "javascript"}; the
pictures (file.svg, file.png) and charts.js are written beside it. draw_charts.py --prepare makes the JavaScript, which takes
seconds, and keeps it for later. Needs vl-convert-python; uses no network.
"""

import json
import os
import pathlib
import sys


def cache() -> pathlib.Path:
    """Where the JavaScript of the installed version is kept."""
    from importlib.metadata import version

    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(folder) / "etalon" / f"charts-{version('vl-convert-python')}.js"


def javascript(vl_convert) -> str:
    kept = cache()
    try:
        return kept.read_text(encoding="utf-8")
    except OSError:
        text = vl_convert.javascript_bundle()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        half = kept.with_suffix(f".{os.getpid()}")
        half.write_text(text, encoding="utf-8")
        half.replace(kept)
    except OSError:
        pass  # it is made again next time
    return text


def draw(vl_convert, panel, folder: pathlib.Path, with_png: bool) -> None:
    svg = vl_convert.vegalite_to_svg(panel["specification"])
    (folder / f"{panel['file']}.svg").write_text(svg, encoding="utf-8")
    if with_png:
        # From the SVG: the specification need not be evaluated twice. A picture has no page behind it, hence the ground.
        start = svg.index(">", svg.index("<svg")) + 1
        ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
        png = vl_convert.svg_to_png(svg[:start] + ground + svg[start:], scale=2)
        (folder / f"{panel['file']}.png").write_bytes(png)


def main() -> int:
    try:
        import vl_convert
    except ImportError as error:
        print(f"vl-convert-python is not installed for {sys.executable} ({error})")
        return 3
    if sys.argv[1] == "--prepare":
        javascript(vl_convert)
        return 0
    folder = pathlib.Path(sys.argv[1])
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    try:
        for panel in request["panels"]:
            draw(vl_convert, panel, folder, request["png"])
        if request["javascript"]:
            (folder / "charts.js").write_text(javascript(vl_convert), encoding="utf-8")
    except Exception as error:  # whatever it is: the last line printed stands in the report
        print(" ".join(str(error).split("\n")[:2]))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
