"""What the Marshal can know of the Fugitive's trail: a quick loose notepad, and all worlds counted exactly."""
