"""The games, agents and results of this package in the terms of other libraries; each module needs its own library."""
