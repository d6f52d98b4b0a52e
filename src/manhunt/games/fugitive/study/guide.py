"""The rules of docs/how-to/fugitive-guide.md as options of `rules-marshal` and `rules-fugitive`, to be measured."""

from collections.abc import Collection
from typing import NamedTuple

from manhunt.core.ids import Side


class Rule(NamedTuple):
    """The options of the player who keeps a rule and of one who does not; the empty text is all rules of the guide."""

    name: str
    kept: str
    broken: str


MARSHAL = (
    Rule(
        "all rules; without: none of them",
        "",
        "thrift=no,failed=no,ranges=no,likely=no,piles=no,anywhere=no,numbers=one,draw=any",
    ),
    Rule("wasted sprint cards are unlikely; without: as likely as any", "", "thrift=no"),
    Rule("wasted sprint cards are unlikely; without: impossible", "", "thrift=sure"),
    Rule("all sure numbers and one more; without: one number", "", "numbers=one"),
    Rule("all sure numbers and one more; without: the sure ones alone", "", "numbers=sure"),
    Rule("all sure numbers and one more; without: always two", "", "numbers=two"),
    Rule("all sure numbers and one more; without: all hideouts at once", "", "numbers=all"),
    Rule("read failed sets; without: failed single numbers only", "", "failed=no"),
    Rule("the number with most points; without: any possible number", "", "likely=no"),
    Rule("narrow lists from both ends; without: from the left only", "", "ranges=no"),
    Rule("draw where the lists are; without: any pile", "", "draw=any"),
    Rule("draw where the lists are; without: lowest pile", "", "draw=low"),
    Rule("draw where the lists are; without: middle pile", "", "draw=middle"),
    Rule("draw where the lists are; without: highest pile (road-block)", "", "draw=high"),
    Rule("he must have drawn it; without: piles ignored", "", "piles=no"),
    Rule("manhunt: the surest number anywhere; without: from the left", "", "anywhere=no"),
    Rule("after one bluff trust no sprint card; without: go on trusting", "doubt=yes", ""),
    Rule("turn up no 30 or more; without: turn up what you know", "guard=yes", ""),
)
FUGITIVE = (
    Rule("all rules; without: none of them", "", "draw=any,step=any,bluff=never,dead=no,two=no,run=1"),
    Rule("draw from the pile of your next step; without: any pile", "", "draw=any"),
    Rule("draw from the pile of your next step; without: lowest pile", "", "draw=low"),
    Rule("draw from the pile of your next step; without: highest pile", "", "draw=high"),
    Rule("open with two hideouts; without: one", "", "two=no"),
    Rule("the farthest free step; without: any", "", "step=any"),
    Rule("the farthest free step; without: as far as cards behind you pay", "", "step=far"),
    Rule("bluff every other time; without: never", "", "bluff=never"),
    Rule("bluff every other time; without: always", "", "bluff=always"),
    Rule("pay with cards behind you; without: any cards", "", "dead=no"),
    Rule("pay with odd cards first; without: even ones first", "odd=yes", ""),
    Rule("place rather than pass; without: pass to save cards", "", "wait=yes"),
    Rule("run with 4 face down; without: as soon as you can", "", "run=1"),
    Rule("run with 4 face down; without: with 6", "", "run=6"),
)
RULES = {Side.PURSUERS: MARSHAL, Side.EVADER: FUGITIVE}
AGENTS = {Side.PURSUERS: "rules-marshal", Side.EVADER: "rules-fugitive"}


def rules_of(side: Side, words: Collection[str] = ()) -> list[Rule]:
    """Those with one of the words in their name; all without words."""
    return [rule for rule in RULES[side] if not words or any(word in rule.name for word in words)]


def specs_of(side: Side, words: Collection[str] = ()) -> list[str]:
    """The player by all rules first, then every other one that a rule asks for."""
    options = dict.fromkeys(["", *(text for rule in rules_of(side, words) for text in (rule.kept, rule.broken))])
    return [spec_of(side, text) for text in options]


def spec_of(side: Side, options: str) -> str:
    return f"{AGENTS[side]}:{options}" if options else AGENTS[side]
