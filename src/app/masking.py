"""What is hidden before a value is shown."""

import re

MASK = "•••"

# greedy: an unescaped `@` or `/` in a password must not show what follows it
_PASSWORD = re.compile(r"((?:^|//)[^/@:\s]*:)(?!//).*@")
_PARAMETER = re.compile(r"(?i)([?&][^=&]*(?:password|secret|token|key)=)[^&#]*")


def mask_secrets(text: str) -> str:
    """`text` without the passwords that a URL may hold; any other text as it is."""
    return _PARAMETER.sub(rf"\1{MASK}", _PASSWORD.sub(rf"\1{MASK}@", text))
