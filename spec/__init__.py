"""What the documents say, and which rules we play: cards, rulesets, statements, games."""
