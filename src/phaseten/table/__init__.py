"""One table with its seats, clocks, chat and game: what can be asked, what follows, and what each viewer may see.

Pure: no clock, no chance, no input or output, and nothing but the standard library and msgspec. A server,
a terminal and a browser can all be its host.
"""
