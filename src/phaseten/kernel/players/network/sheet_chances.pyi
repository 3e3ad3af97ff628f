from array import array

from phaseten.kernel.layout import Layout

class SheetChances:
    def __init__(self, weights: array[float]) -> None: ...
    def chances(self, layout: Layout, state: bytes, edition: int) -> list[float]: ...
