"""Jobs on documents: rendering regions, adopting tables, reading citations."""
