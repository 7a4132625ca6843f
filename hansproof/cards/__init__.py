"""Dataset cards and Croissant files, made from a manifest and its dataset."""
