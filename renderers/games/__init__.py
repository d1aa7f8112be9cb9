"""One drawer per game, in a package with the game's name. How to write one:

A drawer is a subclass of `renderers.contract.Drawer`; the package's ``DRAWER`` is its only instance. The base class
documents the hooks. ``scene``, ``alt_text``, ``emblem`` and ``sample`` are required; the rest has defaults. A drawer
states which shapes are where. The shared modules of `renderers` decide how shapes look, so a drawer has a layout for
its board, but no colour values, fonts or sentences.

1.  **Frame.** Use ``frame.below(height, panel)`` for a wide board and ``frame.beside(height, panel)`` for a round or
    square one. Draw the board in ``frame.board`` (an ``Area``) with ``layout.Grid``, ``Hexes`` or ``Rings``. Draw the
    seats with ``frame.panel(frame, look, plates)``: one ``Plate`` per seat, with points, state and up to two rows of
    ``Word`` and ``Sprite``. A picture is 1000 wide and 720 to 900 high: chats show it in a wide frame.
2.  **Shapes** are values of ``renderers.scene`` in pixels of the picture, back to front. A colour is a name: a role
    ("ground", "pane", "text", "muted", …) or a tone of a hue ("red.deep", "red.dark", "red", "red.light", "red.pale").
    ``palette.on(name)`` returns a readable pen for it. "accent" is reserved for changes: mark all actions of
    ``look.recent``, the faint ones thinner and broken; if it is empty, the last move, as far as the view knows it.
3.  **Still shapes and other shapes.** ``Scene.still`` is painted once and cached by value. Build it in a function under
    ``functools.cache`` that depends on the layout only. All other shapes belong to ``Scene.shapes``.
4.  **Sprites and tiles.** A shape with many facets that occurs often (stones, cards, crystals) is a ``Sprite``, made
    under ``functools.cache``: it is drawn once at four times its size, and then only pasted. A sprite with a *ground*
    is a *tile*: a full rectangle that is composed of cached sprites and pasted as it is, which is fastest. So make a
    field with its pieces one tile of sprites (Kabooom's ``_tile``), and stamp only shapes that cross fields (arrows) on
    top, at the end of the scene. Facets are polygons in neighbouring tones of one hue, lit from the upper left. Flat
    tones keep the file small and crisp; gradients do not. Put lettering on a flat face. ``sprites()`` returns the usual
    sprites, which the bot draws at start.
5.  **Never colour alone.** A seat has a number and a mark (``frame.badge``); a colour has a figure (``palette.SIGNS``
    with ``signs.figure``) or a letter.
6.  **Limits**, which ``kaleidobot/testing/test_pictures.py`` checks for every drawer: text of at least ``TEXT_MIN``
    (24), lines of at least 2, names only as ``Text`` with a ``room`` (a name may be any text), at most ``kilobytes``
    per file, and some 8 ms.
7.  **Views** may have None in place of hidden values; ``look.ended`` is an outcome to show like the game's own.
8.  **Positions.** Add positions as JSON to ``renderers/positions/<game>/``. The contact sheet (``python -m renderers
    gallery out.png``) shows them, the bot paints them at start to fill the caches, and the tests paint them, too.
    ``rules-<page>.json`` is the picture of that page of ``/rules``, unless ``diagram`` returns a scene of its own.
9.  **Hands.** If seats hold hidden cards, ``hand`` draws them apart and ``hand_text`` describes them. The board of a
    view never shows them.
10. **Spots.** ``spots`` returns the outlines of the parts of actions, so that they can be marked and tapped
    (``renderers.outlines`` has ``box`` and ``disc``). Use the same geometry as for the board. A part that is not on the
    picture matches a pattern in ``off_board``, with the reason.
11. **Emblem and banner.** The emblem is shown next to the game's name and must be recognizable without lettering. The
    lobby shows the banner's pieces around the rosette of the ``sample`` position. A final board gets its plaque from
    `renderers`, below the scene.
12. **Card.** `renderers.cards` makes the card of a finished game of its last board: a wedge of it becomes a rosette.
    ``rosette_areas`` says from which parts of the picture it may be; the default is the area of all spots.

Then look at every picture, in both themes, in full size and 400 pixels wide.
"""
