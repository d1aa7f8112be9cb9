"""The golden conversations, played where people really are: on Discord, on Telegram, in the browser.

`script` reads a conversation, `wall` says what stands in the place after each step of it, and a `Stage` is a platform
with people: what they do goes through its real library and comes back as what they really see. What a platform shows in
another way than the recording chat is said in its stage, once, with the reason.
"""
