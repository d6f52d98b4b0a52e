"""Before the first game: every bot that is a process or a server is asked once what it plays."""

from __future__ import annotations

import contextlib

from manhunt.agents.link import Link, parse_address
from manhunt.arena.competition.file import AGENT, COMMAND, REMOTE, is_outside
from manhunt.arena.competition.lines import Lines
from manhunt.arena.competition.model import Bot, Competition
from manhunt.arena.competition.play import bot_conditions
from manhunt.arena.workers import Warn
from manhunt.errors import BadConfig, ManhuntError, one_of
from manhunt.ids import PLAYERS
from manhunt.protocol.messages import Hello
from manhunt.protocol.session import BadSpeech


def greet_bots(competition: Competition, source: str, name: str, warn: Warn) -> None:
    """Refuse a bot that says it does not play what it is entered for; warn of one that does not start.

    One that does not start takes part all the same: it forfeits its games.
    """
    lines = Lines(source)
    with contextlib.chdir(competition.folder):
        for i, bot in enumerate(competition.bots):
            if not is_outside(bot):
                continue
            line = max(lines.of("bot", i, key) for key in (COMMAND, AGENT, REMOTE))
            try:
                link = Link(parse_address(bot.spec), **bot_conditions(competition))
            except (BadSpeech, OSError) as error:
                warn(f"{name} line {line}: bot {bot.name!r} will forfeit its games: {error}")
                continue
            except ManhuntError as error:
                raise BadConfig(f"{name} line {line}: bot {bot.name!r}: {error}") from None
            told = _misfit(competition, bot, link.hello)
            link.leave()
            if told is not None:
                raise BadConfig(f"{name} line {line}: {told}")


def _misfit(competition: Competition, bot: Bot, hello: Hello) -> str | None:
    for entry in competition.entries:
        for seat in PLAYERS:
            if not bot.plays(entry, seat):
                continue
            for word, mine, theirs in (("games", entry.game, hello.games), ("seats", seat.value, hello.seats)):
                if theirs and mine not in theirs:
                    hint = f"say what it plays with {word} = [...]"
                    return f"bot {bot.name!r} does not play {mine}; it plays {one_of(theirs)}; {hint}"
    return None
