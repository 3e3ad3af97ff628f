"""The web application: it brings clock, chance, storage and wires to tables."""
