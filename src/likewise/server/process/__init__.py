"""Processes, sockets and the HTTP protocol of the server."""
