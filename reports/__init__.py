"""What a person looks at: pages, cards drawn as SVG, the deal player, Markdown."""
