"""Questions to Z3: is a document consistent, and is a move legal? The only room that imports it."""

import z3

# Z3 answers Ctrl-C by giving up the question at hand, and the run would go on. It is Python's.
z3.set_param(ctrl_c=False)
