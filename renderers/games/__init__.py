"""One drawer a game, named like it. How to write one:

A drawer is a module with two functions, and says *what* lies where; how it looks is the kit's business. It holds no
pixel sizes of its own beyond the layout of its board, no colour values, no fonts, no sentences::

    def scene(view, look) -> Scene           def alt_text(view, look) -> str

1.  **Frame.** ``frame.below(height, panel)`` for a wide board, ``frame.beside(height, panel)`` for a round or square
    one. The board goes into ``frame.board`` (an ``Area``) with ``layout.Grid``, ``Hexes`` or ``Rings``; the seats go
    through ``frame.panel(frame, look, plates)``: one ``Plate`` a seat with its points, its state and up to two rows
    of ``Word`` and ``Sprite``. A picture is 1000 wide and 750 to 900 high (larger where a board needs it), never
    square.
2.  **Shapes** are values of ``renderers.scene`` in pixels of that picture, back to front. Colours are names: a role
    ("ground", "pane", "text", "muted", ...) or a tone of a hue ("red.deep", "red.dark", "red", "red.light",
    "red.pale"); ``palette.on(name)`` gives the pen that can be read on it. "accent" is for the last move only.
3.  **Still and live.** ``Scene.still`` is painted once and kept for as long as the same values come back, so build it
    in a function under ``functools.cache`` that depends on nothing but the layout. Everything else goes to
    ``Scene.shapes``.
4.  **Sprites and tiles.** What occurs again and again with many facets (stones, cards, crystals) is a ``Sprite``, made
    under ``functools.cache``: its shapes are drawn once at four times their size, then only stamped. A sprite with a
    *ground* is a *tile*: a full rectangle, put together from sprites that are kept, and laid as it is, which costs
    next to nothing. So: a field with all that stands on it is a tile of sprites (Kabooom's ``_tile``), a plate of the
    panel is one, and only what crosses fields (arrows) is stamped on top, at the end of the scene. Facets are polygons
    in neighbouring tones of one hue, lit from the upper left; flat tones keep the picture small and crisp, gradients
    do not. Lettering stands on a flat face. List the usual sprites in ``sprites()``, so that the bot draws them at
    start.
5.  **Colour never alone.** Seats have number and mark (``frame.badge``), colours a figure (``palette.SIGNS`` with
    ``signs.figure``) or a letter.
6.  **Limits**, watched by ``tests/renderers/test_paint.py`` for every drawer: no text under ``TEXT_MIN`` (24), no
    line under 2, names only through ``Text`` with a ``room`` (they may be anything), at most 70 KB and some 8 ms (a
    drawer that must show more says how much in ``KILOBYTES``).
7.  **Views** may have None where something is hidden; ``look.ended`` is an outcome to be shown like the game's own.
8.  **Positions.** Put the positions worth looking at as JSON into ``renderers/positions/<game>/``: they are the contact
    sheet (``python -m renderers gallery out.png``), they are painted at start to fill the caches, and the tests paint
    them. ``rules-<page>.json`` is also the diagram of that page of ``/rules``; a function ``diagram(page, look)`` may
    give a scene of its own instead.
9.  **Hands.** Where a seat holds what others must not see, ``hand(view, seat, look) -> Scene | None`` draws it by
    itself and ``hand_text(view, seat, look) -> str | None`` tells it; the board of a view never shows it.
10. **Spots.** ``spots(view, look) -> Mapping[str, Outline]`` tells where the parts of actions are, so that they can be
    marked and tapped: from a part ("b3") to the corners of its place in pixels, in order (``renderers.outlines`` has
    ``box`` and ``disc``). Use the geometry that the board is drawn with. Places of different parts do not overlap. A
    part that is nowhere on the picture is told in ``OFF_BOARD``: a mapping from a regular expression for such parts to
    the reason why. The marks are painted for all games, over the scene, unless
    ``marked(view, look)`` gives others.
11. **Emblem.** ``emblem() -> Sprite``, within 24 to each side, is the game's own sign, to be known without
    lettering; it stands wherever the game is named. ``HANDED_OUT``: the hues of seats that chose none. ``banner() ->
    tuple[Sprite, ...]``: four to six of its pieces, each with its middle at (0, 0), that a lobby shows in a row.
    ``SAMPLE``: the golden position that stands for the game. A final board gets its plaque from the kit, below
    the scene.

Then look at every picture, in both themes, full size and 400 pixels wide.
"""
