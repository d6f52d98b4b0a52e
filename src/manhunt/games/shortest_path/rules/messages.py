"""Views and events of Adversarial Shortest Path as JSON, field by field: what bots read."""

from typing import Annotated, TypedDict

from msgspec import Meta

from manhunt.core.messages import Count, EventKind, Label, OutcomeText, SeatName, event_kind, words_of
from manhunt.games.shortest_path.rules.config import Rule

Cost = Annotated[float, Meta(ge=0)]
From = Annotated[Label, Meta(description="One end of the edge; of a walked edge, where it began.")]
To = Annotated[Label, Meta(description="The other end.")]
CostNow = Annotated[Cost, Meta(description="What walking along it costs now.")]

RaisedEdge = TypedDict(
    "RaisedEdge",
    {
        "from": From,
        "to": To,
        "raises": Annotated[int, Meta(ge=1, description="How often the adversary has raised it.")],
        "cost": CostNow,
    },
)
RaisedEdge.__doc__ = "An edge that costs more than 1."


class ViewMessage(TypedDict):
    """What a seat knows when it is to move: everything."""

    seat: str
    """Your seat."""
    round: Count
    """How many moves the traveller has made."""
    to_act: str | None
    """Whose turn it is: yours."""
    at: Label
    """Where the traveller is."""
    target: Label
    """Where the traveller wants to go."""
    total: Cost
    """What the traveller has paid so far."""
    raised: list[RaisedEdge]
    """The edges that were raised; all others cost 1."""
    outcome: OutcomeText | None
    """Null while the game runs."""


class Begun(TypedDict):
    """The game begins."""

    at: Label
    """Where the traveller starts."""
    target: Label
    """Where the traveller wants to go."""
    rule: Annotated[str, words_of(Rule)]
    """What a raise multiplies by: `sqrt` by more, the farther the edge is from the target; `double` always by 2."""


Moved = TypedDict(
    "Moved",
    {
        "from": From,
        "to": To,
        "cost": Annotated[Cost, Meta(description="What this step cost.")],
        "total": Annotated[Cost, Meta(description="What the traveller has paid so far.")],
    },
)
Moved.__doc__ = "The traveller walked along an edge."

Raised = TypedDict(
    "Raised",
    {
        "from": From,
        "to": To,
        "factor": Annotated[float, Meta(ge=1, description="What the cost was multiplied by.")],
        "cost": CostNow,
    },
)
Raised.__doc__ = "The adversary raised the cost of an edge."


class Passed(TypedDict):
    """A seat did nothing."""

    seat: SeatName
    """Which one: `evader` is the traveller, `pursuers` the adversary."""


VIEW = ViewMessage
EVENTS: dict[str, EventKind] = {
    "begun": event_kind(Begun),
    "moved": event_kind(Moved),
    "raised": event_kind(Raised),
    "passed": event_kind(Passed),
}
