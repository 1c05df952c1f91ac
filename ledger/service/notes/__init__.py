"""Jobs on provenance notes: recording them, following them, and the files they are written to."""
