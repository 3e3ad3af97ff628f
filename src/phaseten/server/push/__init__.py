"""Messages to browsers whose page is closed (Web Push): RFC 8030, 8291 and 8292."""
