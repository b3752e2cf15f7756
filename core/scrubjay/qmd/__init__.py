"""QMD, a search program that people may have installed, as the one that answers searches."""
