"""Play a game of Kabooom with random actions and paint its last board: python -m examples.play_kabooom [FILE.png]"""

import random
import sys
from pathlib import Path

from renderers import Look, SeatLook, alt_text, picture
from rules import GAMES


def main(path: Path, seed: int = 7) -> None:
    luck = random.Random(seed)
    state = GAMES["kabooom"].start(seats=2, options={"level": "easy"}, seed=seed)
    while state.actor is not None:  # None: the game is over
        action = luck.choice(state.actions())  # every legal action; GAMES["kabooom"].parse() reads typed ones
        print(f"player {state.actor + 1}: {action}")
        state = state.play(action)  # a new state; states never change

    view = state.view(None)  # the view of a spectator; renderers get only views, so they cannot leak secrets
    look = Look(seats=(SeatLook("Anna", "red"), SeatLook("Ben", "blue")))
    print(state.outcome)
    print(alt_text(view, look))
    path.write_bytes(picture(view, look))


if __name__ == "__main__":
    main(Path(sys.argv[1] if sys.argv[1:] else "kabooom.png"))
