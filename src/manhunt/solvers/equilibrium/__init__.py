"""Two-sided zero-sum games with hidden information: equilibria and how far a policy is from one."""
