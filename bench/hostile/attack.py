"""What one attack is, whatever it attacks."""

import dataclasses
import pathlib
from typing import Callable, List


@dataclasses.dataclass
class Attack:
    """`make(scale, folder)` writes what attacks into an empty folder, `scale` times as large as at
    first, and gives the command that is to bear it: a program of the build, then its arguments."""

    name: str
    make: Callable[[int, pathlib.Path], List[str]]
