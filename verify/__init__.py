"""Is the ruleset consistent, and is a deal won, lost or open? The trusted core and its askers."""
