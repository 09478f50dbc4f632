"""Which deals to ship: dealers, constructions, proving, the run store and seed packs."""
