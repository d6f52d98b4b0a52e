"""The documentation site: its pages, its build, and the check of what was built."""
