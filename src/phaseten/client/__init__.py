"""A bot at a table of somebody's server: what ``phaseten join`` runs."""
