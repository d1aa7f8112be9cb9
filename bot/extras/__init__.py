"""Features beside the turns. Each attaches to the core through the hooks of `bot.service.feature.Feature` alone.

The core imports none of them. `bot.app` puts them together with the rest.
"""
