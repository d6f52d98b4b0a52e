"""Texts that others wrote (names, errors, log messages) as a terminal may show them: the one place that cleans them.

A terminal acts on control characters and escape sequences; some characters turn the direction of what follows.
Commands print through `manhunt.cli.screen`, which sends every text through here.
"""


def clean_text(text: str) -> str:
    """The same text with a question mark for every character that is not shown as itself; lines stay lines."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == "\n" else _instead(sign) for sign in text)


def clean_line(text: str) -> str:
    """The same as one line."""
    return clean_text(" ".join(text.split()))


def _instead(sign: str) -> str:
    return " " if sign.isspace() else "?"
