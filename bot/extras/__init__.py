"""Features beside the turns. Each attaches to the core through the hooks of `bot.service.feature.Feature` alone.

The core imports none of them. `bot.app` puts them together with the rest. The requests that they answer are declared
in `bot.requests`, and the buttons that lead there are in `bot.replies`, like all others.
"""
