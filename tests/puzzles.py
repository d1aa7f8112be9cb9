"""Whole attempts at daily puzzles."""

from rules.puzzles import begin, play, puzzle


def best(number: int) -> tuple[int, ...]:
    """Return the numbers of the actions of the solution."""
    attempt, steps = begin(puzzle(number)), list[int]()
    for text in attempt.puzzle.line:
        actions = attempt.state.actions()
        steps.append([*map(str, actions)].index(text))
        attempt = play(attempt, actions[steps[-1]])
    return tuple(steps)


def worst(number: int) -> tuple[int, ...]:
    """Return the numbers of the last action each time, until the attempt is over."""
    attempt, steps = begin(puzzle(number)), list[int]()
    while attempt.result is None:
        actions = attempt.state.actions()
        steps.append(len(actions) - 1)
        attempt = play(attempt, actions[-1])
    return tuple(steps)
