"""Questions to Z3: is a document consistent, and is a move legal? The only room that imports it."""
