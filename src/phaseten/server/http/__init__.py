"""What is asked over HTTP, by what it is about: tables, games, score sheets, devices, pages."""
