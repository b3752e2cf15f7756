"""A line between programs of one user on one computer: a socket, or a named pipe of Windows."""
