"""The root of every error of this project, and the domain's own."""


class MutiraoError(Exception):
    """Everything that this project raises on purpose. Its text says what to do next and shows no secret."""


class DomainError(MutiraoError):
    """A rule of the domain was broken."""


class InvalidTransition(DomainError):
    """An event that the item's state does not allow; the item is left as it was."""


class LeaseLost(DomainError):
    """The session or lease behind a write is gone: buried, closed, or taken over.

    Whoever receives it holds nothing any more. Stop what depends on it, open a new session, and go on.
    """


class TaskRefused(DomainError, ValueError):
    """A push task that breaks a limit; nothing of it was sent. The text names each limit, and what to do."""


class MessageUndecodable(DomainError):
    """A message that holds no push task. It is kept among the dead letters, with this text as its reason."""
