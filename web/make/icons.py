"""Draws the icons of installed games from public/icon.svg: ``.venv/bin/python web/make/icons.py``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parents[1] / "public"
SIZES = (180, 192, 512)

with sync_playwright() as playwright:
    found = Path("/usr/bin/chromium")
    browser = playwright.chromium.launch(
        executable_path=found if found.exists() else None, args=["--no-sandbox"]
    )
    page = browser.new_page()
    drawing = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    for size in SIZES:
        page.set_viewport_size({"width": size, "height": size})
        page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:100vw}}</style>{drawing}")
        page.screenshot(path=FOLDER / f"icon-{size}.png")
    browser.close()
