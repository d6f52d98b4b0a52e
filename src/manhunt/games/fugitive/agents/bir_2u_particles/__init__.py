"""The sampled worlds by which the opponent bir-2u is defined."""
