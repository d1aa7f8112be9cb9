"""The golden conversations, played on real platforms: on Discord, on Telegram, in the browser.

`script` reads a conversation, `wall` computes the public messages after each step, and a `Stage` is a platform with
people: their input goes through the real library, and the test reads the messages that they see. Each stage documents
once, with the reason, how its platform differs from the recording chat.
"""
