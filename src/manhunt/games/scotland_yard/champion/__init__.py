"""The champion: value nets over what is public and where Mr X is, learnt by self-play, with a shallow search on top."""
