"""A bot that plays all games at random, made with the kit of manhunt.

manhunt watch pursuit --agent-mrx "cmd:python python_bot.py"
python python_bot.py --listen 9000            and then: --agent-mrx tcp:127.0.0.1:9000
python python_bot.py --listen-ws 9001         and then: --agent-mrx ws://127.0.0.1:9001
manhunt bot check "python python_bot.py" --game pursuit
"""

from manhunt.client import Bot, run


class RandomBot(Bot):
    """A random bot for all games of manhunt."""

    name = "python random"
    version = "1.0"

    def start(self, game):
        """A new game: game.game, game.config, game.seat, game.board (nodes and edges, None for Fugitive)."""

    def choose(self, view, legal, clock):
        # ---- Your own logic goes here -------------------------------------------------------------------------------
        # view: what your seat knows; legal: the moves in notation; clock.move: seconds you have for this move.
        # self.rng is seeded by the manager: take all chance from it, and manhunt can check that you play fair.
        self.tell(text=f"one of {len(legal)}")
        return self.rng.choice(legal) if legal else None
        # -------------------------------------------------------------------------------------------------------------


if __name__ == "__main__":
    run(RandomBot)
