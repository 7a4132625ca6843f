"""The paper's figures 2 and 3 as SVG files of their own: a scatter plot of pairs, and box plots of models."""
