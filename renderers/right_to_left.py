"""Names in Hebrew and Arabic script, in the order in which they are drawn.

The letters of Arabic join; Unicode has each joined form as a character of its own, and its data say which form of
which letter that is. So a word is drawn letter by letter, without a shaping engine. The order follows the idea of the
bidirectional algorithm (runs of one direction, numbers left to right), as far as a name needs it.
"""

import unicodedata
from functools import cache

RIGHT = frozenset({"R", "AL"})
LEFT = frozenset({"L", "EN", "AN"})
Forms = dict[str, dict[str, str]]


@cache
def _forms() -> tuple[Forms, frozenset[str]]:
    """For each letter (or pair that melts into one) its forms; and the letters that join to both sides."""
    forms: Forms = {}
    for code in (*range(0xFB50, 0xFDFC), *range(0xFE70, 0xFEFD)):
        tag, _, rest = unicodedata.decomposition(chr(code)).partition(" ")
        letters = "".join(chr(int(part, 16)) for part in rest.split())
        # Of the ligatures only lam with alef is one that must be made.
        if tag[1:-1] in ("isolated", "initial", "medial", "final") and (len(letters) == 1 or _is_lam_alef(letters)):
            forms.setdefault(letters, {}).setdefault(tag[1:-1], chr(code))
    return forms, frozenset(letters for letters, known in forms.items() if "initial" in known)


def _is_lam_alef(letters: str) -> bool:
    return len(letters) == 2 and letters[0] == "ل" and letters[1] in "اأإآ"


def joined(text: str) -> str:
    """*text* with every Arabic letter in the form that its neighbours ask for.

    >>> [unicodedata.name(letter).split()[-2] for letter in joined("بب")]
    ['INITIAL', 'FINAL']
    """
    forms, both_sides = _forms()
    made: list[str] = []
    joins_on = False
    at = 0
    while at < len(text):
        letters = text[at : at + 2] if text[at : at + 2] in forms else text[at]
        at += len(letters)
        known = forms.get(letters)
        if known is None:
            made.append(letters)
            joins_on = False
            continue
        goes_on = letters in both_sides and at < len(text) and text[at] in forms
        wish = {(False, False): "isolated", (False, True): "initial", (True, True): "medial", (True, False): "final"}
        made.append(known.get(wish[joins_on and "final" in known, goes_on], letters))
        joins_on = goes_on
    return "".join(made)


def in_order(text: str) -> str:
    """*text* as it is drawn from left to right.

    >>> in_order("abc"), in_order("אבג 12"), in_order("Eva אב")
    ('abc', '12 גבא', 'Eva בא')
    """
    kinds = [unicodedata.bidirectional(letter) for letter in text]
    if not RIGHT.intersection(kinds):
        return text
    strong = [True if kind in RIGHT else False if kind in LEFT else None for kind in kinds]
    base = next((kind in RIGHT for kind in kinds if kind in RIGHT or kind == "L"), False)
    runs: list[tuple[bool, str]] = []
    for at, letter in enumerate(text):
        before = next((way for way in reversed(strong[:at]) if way is not None), base)
        after = next((way for way in strong[at:] if way is not None), base)
        here = strong[at]
        way = here if here is not None else before if before == after else base
        if runs and runs[-1][0] == way:
            runs[-1] = (way, runs[-1][1] + letter)
        else:
            runs.append((way, letter))
    drawn = [joined(run)[::-1] if way else run for way, run in runs]
    return "".join(reversed(drawn) if base else drawn)
