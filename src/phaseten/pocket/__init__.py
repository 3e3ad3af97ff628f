"""A table without a server: one device, the people who sit around it, and bots.

It speaks the messages of the WebSocket, so that a client cannot tell it from a server's table. No asyncio, no numpy,
no threads, no network: a Web Worker runs it by Pyodide, and brings the clock, the chance and the place where every
step is kept.
"""
