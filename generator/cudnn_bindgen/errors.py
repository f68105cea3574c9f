"""Every error that the generator raises for something outside itself.

Each message is one sentence that names the file, line, version or argument at fault and says what to do. The command
line prints the message and exits with ``exit_status``; a library user catches the type.
"""

from __future__ import annotations

__all__ = [
    "ArgumentTypeError",
    "BindgenError",
    "DataFileError",
    "DownloadError",
    "DuplicateDefinitionError",
    "EvaluationError",
    "HeaderNotFoundError",
    "HeaderParseError",
    "HistoryError",
    "LossError",
    "MissingDependencyError",
    "ModelFormatError",
    "OutputError",
    "TemplateRenderError",
    "UnknownNameError",
    "UnknownVersionError",
    "VerificationError",
]


class BindgenError(Exception):
    """Base class of the generator's errors; ``exit_status`` is what the command line exits with."""

    exit_status = 1


class ArgumentTypeError(BindgenError, TypeError):
    """An argument is of a Python type that cannot be used."""


class HeaderNotFoundError(BindgenError):
    """A header folder, a wheel's headers or one needed file is not there."""


class HeaderParseError(BindgenError):
    """A header does not preprocess or parse.

    Parameters
    ----------
    message
        What is wrong and what to do, without the position.
    file, line
        The position in the header as the user knows it.
    """

    def __init__(self, message: str, file: str, line: int) -> None:
        super().__init__(message, file, line)
        self.message = message
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class DuplicateDefinitionError(HeaderParseError):
    """One name is defined twice with different contents."""


class EvaluationError(HeaderParseError):
    """A constant expression cannot be evaluated."""


class LossError(BindgenError):
    """Something was left out of the model and ``--strict`` was asked for."""


class DownloadError(BindgenError):
    """The package index, a wheel or a member of it could not be read whole."""


class UnknownVersionError(BindgenError):
    """No such cuDNN version is known here, or the text is no version."""


class UnknownNameError(BindgenError):
    """A declaration of that name does not exist in the version asked for."""


class ModelFormatError(BindgenError):
    """JSON that should hold a model does not fit its schema; the message names the place (``$.functions[3].name``)."""


class HistoryError(BindgenError):
    """The history file is missing, damaged or of a newer format."""


class DataFileError(BindgenError):
    """A data file of the generator (exceptions, families) is wrong or matches nothing any more."""


class OutputError(BindgenError):
    """The output folder cannot be written (full disk, permissions, an unrelated folder in the way)."""


class TemplateRenderError(BindgenError):
    """A template fails or is missing."""


class VerificationError(BindgenError):
    """The C compiler is missing or disagrees with the model."""


class MissingDependencyError(BindgenError):
    """A package of the ``generator`` extra is not installed."""
