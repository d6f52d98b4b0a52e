"""Our games where researchers already work; each module needs the extra that its name says."""
