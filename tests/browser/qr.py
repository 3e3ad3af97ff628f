"""Reading a QR code from the screen, as a camera does. The pixels are clean: nothing is corrected."""

import base64
from collections.abc import Iterator

from playwright.sync_api import Locator

QUIET = 4
"""Light modules around the code."""
BYTES = 0b0100
"""The mode in which links are written."""
BLOCKS = {
    "M": {2: (1, 28), 3: (1, 44), 4: (2, 32), 5: (2, 43), 6: (4, 27)},
    "Q": {2: (1, 22), 3: (2, 17), 4: (2, 24), 6: (4, 19)},
    "H": {2: (1, 16), 3: (2, 13), 4: (4, 9)},
}
"""By level and version: how many blocks, and the bytes of data in each."""
PIXELS = """async ([picture, size]) => {
    const bytes = Uint8Array.from(atob(picture), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const isDark = (x, y) => canvas.getImageData(
        (x + 0.5) * image.width / size, (y + 0.5) * image.height / size, 1, 1).data[0] < 128;
    return Array.from({length: size}, (_, y) => Array.from({length: size}, (_, x) => isDark(x, y)));
}"""

Modules = list[list[bool]]


def scan(code: Locator) -> str:
    """The text of the QR code that is shown there."""
    size = int((code.get_attribute("viewBox") or "").split()[2])
    picture = base64.b64encode(code.screenshot()).decode()
    shown: Modules = code.page.evaluate(PIXELS, [picture, size])
    return read([row[QUIET:-QUIET] for row in shown[QUIET:-QUIET]])


def read(modules: Modules) -> str:
    """The text of a QR code."""
    form = as_number(modules[8][:5]) ^ 0b10101
    level, mask = "MLHQ"[form >> 3], form & 0b111
    bits = [modules[y][x] ^ is_masked(mask, x, y) for x, y in places(len(modules))]
    words = [as_number(bits[start : start + 8]) for start in range(0, len(bits) - 7, 8)]
    blocks, length = BLOCKS[level][(len(modules) - 17) // 4]
    data = [words[at * blocks + block] for block in range(blocks) for at in range(length)]
    stream = [bool(word >> bit & 1) for word in data for bit in range(7, -1, -1)]
    assert as_number(stream[:4]) == BYTES
    count = as_number(stream[4:12])
    text = [as_number(stream[12 + 8 * at : 20 + 8 * at]) for at in range(count)]
    return bytes(text).decode()


def as_number(bits: list[bool]) -> int:
    return int("".join(str(int(bit)) for bit in bits), 2)


def places(size: int) -> Iterator[tuple[int, int]]:
    """Where the data lies: up and down in pairs of columns, from the right."""
    upward = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):  # column 6 is a ruler
        for y in range(size - 1, -1, -1) if upward else range(size):
            for x in (right, right - 1):
                if not is_pattern(size, x, y):
                    yield x, y
        upward = not upward


def is_pattern(size: int, x: int, y: int) -> bool:
    """Whether the module is there to find the code by; in versions 2 to 6."""
    corner = (x < 9 and y < 9) or (x >= size - 8 and y < 9) or (x < 9 and y >= size - 8)
    near = range(size - 9, size - 4)
    return corner or x == 6 or y == 6 or (x in near and y in near)


def is_masked(mask: int, x: int, y: int) -> bool:
    return [
        (x + y) % 2,
        y % 2,
        x % 3,
        (x + y) % 3,
        (y // 2 + x // 3) % 2,
        x * y % 2 + x * y % 3,
        (x * y % 2 + x * y % 3) % 2,
        ((x + y) % 2 + x * y % 3) % 2,
    ][mask] == 0
