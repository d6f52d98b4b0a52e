"""How far from the best a game of Adversarial Shortest Path was, said with what is certified and nothing more."""

from manhunt.games.shortest_path.solvers.bounds import TOLERANCE, Bounds, rounded_down


def promise(bounds: Bounds) -> str:
    """Before the game: `best play costs 20.1 to 22 (certified)`."""
    return f"best play costs {bounds} (certified)"


def verdict(bounds: Bounds, paid: float | None) -> str:
    """After the game, with what the traveller paid; None if he did not arrive."""
    if paid is None:
        return f"not arrived; best play costs {bounds}"
    return f"paid {paid:.6g}; best play costs {bounds}: {judgement(bounds, paid)}"


def judgement(bounds: Bounds, paid: float) -> str:
    """Who surely lost how much."""
    slack = TOLERANCE * max(1.0, paid)
    too_much, too_little = paid - bounds.upper.value, bounds.lower.value - paid
    if too_much > slack:
        return f"the traveller lost at least {rounded_down(too_much)}"
    if too_little > slack:
        return f"the adversary lost at least {rounded_down(too_little)}"
    return "what best play gives" if bounds.solved else "nothing is surely lost"
