"""Writes the manual and the API reference as a site: ``make docs-site``, into build/docs-site.

The manual is docs/ as it is, the reference comes from the docstrings. Every link between pages, to a
heading and to a picture is checked afterwards, in what a browser would load; a broken one fails the build.
"""

from __future__ import annotations

import ast
import json
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src" / "phaseten"
WORK: Final = ROOT / "build" / "docs-source"
SITE: Final = ROOT / "build" / "docs-site"

MOVED: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages that are not in docs/; the rest of docs/ keeps its names."""
NAV: Final = (
    ("Play", ("browser", "pocket", "terminal", "rules", "rulings", "languages", "editions")),
    (
        "Program",
        (
            "library",
            "notation",
            "bots",
            "strategy",
            "coach",
            "arena",
            "kernel",
            "statistics",
            "benchmarks",
        ),
    ),
    ("Learn", ("gymnasium", "pettingzoo", "openspiel")),
    ("Serve", ("server", "protocol", "deploy")),
    ("Develop", ("contributing", "dependencies", "release", "changelog")),
)
REFERENCE: Final = {
    "phaseten.game": ("game",),
    "phaseten.rules": ("rules",),
    "phaseten.notation": ("notation",),
    "phaseten.bots": ("bots",),
    "phaseten.kernel": ("kernel/batch", "kernel/game", "kernel/simulation", "kernel/setup"),
    "phaseten.arena": ("arena",),
    "phaseten.envs": ("envs",),
    "phaseten.analysis": ("analysis",),
    "phaseten.table": ("table",),
    "phaseten.language": ("language",),
}
"""The pages of the reference, and the modules or packages that are described on each."""

SETTINGS: Final = """\
[project]
site_name = "phaseten"
site_description = "Phase 10 by the book: a rules engine, a referee, bots and a game table."
docs_dir = "docs"
site_dir = "site"
use_directory_urls = false
nav = {nav}

[project.theme]
variant = "modern"
font = false
features = ["navigation.tabs", "navigation.top", "content.code.copy", "search.highlight"]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle.icon = "lucide/sun"
toggle.name = "Dark"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle.icon = "lucide/moon"
toggle.name = "Light"

[project.plugins.mkdocstrings.handlers.python]
paths = [{source!r}]

[project.plugins.mkdocstrings.handlers.python.options]
extensions = [{fences!r}]
docstring_style = "google"
docstring_section_style = "list"
heading_level = 2
members_order = "source"
merge_init_into_class = true
separate_signature = true
show_bases = false
show_if_no_docstring = false
show_root_full_path = true
show_root_heading = true
show_signature_annotations = true
show_source = false
"""

_LINK: Final = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")


def main() -> int:
    """Build and check; the exit status."""
    stage()
    result = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--clean", "--strict"],
        cwd=WORK,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        print(result.stdout + result.stderr, file=sys.stderr)
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(WORK / "site", SITE)
    broken = list(broken_links(SITE))
    for line in broken:
        print(line, file=sys.stderr)
    pages = len(list(SITE.rglob("*.html")))
    print(f"{pages} pages in {SITE.relative_to(ROOT)}, {len(broken)} broken links.")
    return 1 if broken else 0


# -- what the site is made from ------------------------------------------------------------------


def stage() -> None:
    """Put together what zensical reads."""
    shutil.rmtree(WORK, ignore_errors=True)
    docs = WORK / "docs"
    shutil.copytree(ROOT / "docs" / "images", docs / "images")
    pages = {f"docs/{path.name}": path.name for path in (ROOT / "docs").glob("*.md")} | MOVED
    linked: set[str] = set()
    for origin, name in pages.items():
        text = (ROOT / origin).read_text(encoding="utf-8")
        (docs / name).write_text(mend_links(text, origin, pages, linked), encoding="utf-8")
    for path in sorted(linked):
        write_file_page(docs / f"files/{path}.md", ROOT / path)
    reference = write_reference(docs / "api")
    settings = SETTINGS.format(
        nav=nav(reference),
        source=str(ROOT / "src"),
        fences=str(ROOT / "docs" / "doctest_fences.py"),
    )
    (WORK / "zensical.toml").write_text(settings, encoding="utf-8")


def mend_links(text: str, origin: str, pages: dict[str, str], linked: set[str]) -> str:
    """The links of a page, as they are on the site; files that are no pages get one."""

    def mend(match: re.Match[str]) -> str:
        target, mark, heading = match[2].partition("#")
        if not target or "://" in target:
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
        if path in pages:
            return f"{match[1]}{pages[path]}{mark}{heading}{match[3]}"
        if path.startswith("docs/"):
            return f"{match[1]}{path.removeprefix('docs/')}{mark}{heading}{match[3]}"
        linked.add(path)
        return f"{match[1]}files/{path}.md{match[3]}"

    return _LINK.sub(mend, text)


def write_file_page(page: Path, path: Path) -> None:
    """A page with a file of the repository, or with the names in a folder."""
    if not path.exists():
        return  # zensical says where the link is
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        files = [each.name for each in sorted(path.iterdir()) if each.name != "__pycache__"]
        text = "\n".join(f"- `{each}`" for each in files)
    else:
        kind = {".py": "python", ".sh": "sh", ".toml": "toml"}.get(path.suffix, "text")
        text = f"````{kind}\n{path.read_text(encoding='utf-8').rstrip()}\n````"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"# {name}\n\n{text}\n", encoding="utf-8")


def nav(reference: Iterable[str]) -> str:
    """The contents, in TOML; strings in JSON are strings in TOML."""
    sections = [(title, [f"{name}.md" for name in names]) for title, names in NAV]
    sections.append(("Reference", [f"api/{name}.md" for name in ("index", *reference)]))
    entries = [f"{{ {json.dumps(title)} = {json.dumps(pages)} }}" for title, pages in sections]
    return f'[{{ "Start" = "index.md" }}, {", ".join(entries)}]'


# -- the reference -------------------------------------------------------------------------------


def write_reference(folder: Path) -> list[str]:
    """A page for each package, and one with all public names; the names of the former."""
    folder.mkdir()
    page_of: dict[str, str] = {}
    for title, places in REFERENCE.items():
        modules = [module for place in places for module in modules_at(place)]
        page_of |= dict.fromkeys(modules, title)
        text = "\n".join(f"::: {module}\n" for module in modules)
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}", encoding="utf-8")
    (folder / "index.md").write_text(public_names(page_of), encoding="utf-8")
    return list(REFERENCE)


def modules_at(place: str) -> list[str]:
    """The module at a place in the package, or all modules of the package there."""
    path = PACKAGE / place
    if not path.is_dir():
        return [f"phaseten.{place.replace('/', '.')}"]
    found = sorted(each for each in path.glob("*.py") if not each.stem.startswith("_"))
    package = f"phaseten.{place.replace('/', '.')}"
    return [package, *[f"{package}.{each.stem}" for each in found]]


def public_names(page_of: dict[str, str]) -> str:
    """What ``import phaseten`` offers, with links to where it is described."""
    homes = _homes()
    rows: list[str] = []
    for name in sorted(homes, key=str.casefold):
        module = homes[name]
        if module not in page_of:
            raise SystemExit(
                f"{module}, the home of phaseten.{name}, is on no page of the reference"
            )
        summary = _summary(module, name)
        heading = f"{module}.{name}" if summary else module
        link = f"[`{name}`]({page_of[module]}.md#{heading})"
        rows.append(f"| {link} | {summary or f'see `{module}`'} |")
    table = "\n".join(["| name | what it is |", "|---|---|", *rows])
    return (
        "# phaseten\n\nWhat `import phaseten` offers, each by one word; the modules have their own pages.\n\n"
        f"{table}\n"
    )


def _homes() -> dict[str, str]:
    """The public names of the package and the modules in which they are."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            homes: dict[str, tuple[str, ...]] = ast.literal_eval(node.value)
            return {name: f"phaseten.{home}" for home, names in homes.items() for name in names}
    raise SystemExit("phaseten/__init__.py has no _HOMES any more")


def _summary(module: str, name: str) -> str:
    """The first line of what is said of a name; nothing where it has no docstring of its own."""
    path = PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for place, node in enumerate(body):
        named = getattr(node, "name", "")
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            follows = body[place + 1] if place + 1 < len(body) else None
            if ast.unparse(target) == name and _is_text(follows):
                return _first_line(ast.literal_eval(follows.value))  # type: ignore[union-attr]
        elif named == name and isinstance(node, ast.ClassDef | ast.FunctionDef):
            return _first_line(ast.get_docstring(node) or "")
    return ""


def _is_text(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _first_line(text: str) -> str:
    return " ".join(text.strip().partition("\n\n")[0].split()).replace("|", "\\|")


# -- the links -----------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page links to, and where it can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of what the tag points to, and of its name."""
        for name, value in attrs:
            if value and name in ("href", "src") and tag != "link":
                self.links.add(value)
            elif value and (name == "id" or (name == "name" and tag == "a")):
                self.anchors.add(value)


def broken_links(site: Path) -> Iterator[str]:
    """Every link in the site to a page, a heading or a file that is not there."""
    pages = {
        path.resolve(): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")
    }

    def anchors(target: Path) -> set[str]:
        return pages[target].anchors if target in pages else set()

    for path, page in pages.items():
        if path.name == "404.html":
            continue  # shown in place of any page: its links begin at the root
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            where = f"{path.relative_to(site.resolve())}: {link}"
            if not target.exists():
                yield f"{where} is not there"
            elif parts.fragment and unquote(parts.fragment) not in anchors(target):
                yield f"{where} has no such heading"


if __name__ == "__main__":
    sys.exit(main())
