"""Adversarial Shortest Path: a traveller looks for a cheap way while an adversary makes edges dearer."""
