"""The licences of what is in an archive beside our own code."""

import pathlib
import re
import shutil
import subprocess
from typing import Iterable

from releasing import ReleaseError

# Where Debian's packages have theirs.
DOCUMENTS = pathlib.Path("/usr/share/doc")

NAMED = re.compile(r"(LICEN[CS]E|NOTICES?|COPYING|COPYRIGHT)([.-].*)?", re.IGNORECASE)


def copy_packages(checkouts: pathlib.Path, folder: pathlib.Path) -> None:
    """Copies those of the packages that SwiftPM has fetched, which are compiled into the program."""
    for checkout in sorted(checkouts.iterdir()):
        found = [file for file in checkout.iterdir() if NAMED.fullmatch(file.name)]
        if not found:
            raise ReleaseError(f"{checkout.name} has no licence. Expected a file LICENSE in {checkout}.")
        copy(found, folder / checkout.name)


def copy_toolchain(programs: pathlib.Path, folder: pathlib.Path) -> None:
    """Copies that of Swift, whose runtime and Foundation are linked statically."""
    copy([programs.parent / "share/swift/LICENSE.txt"], folder / "swift")


def copy_libraries(libraries: Iterable[pathlib.Path], folder: pathlib.Path) -> None:
    """Copies those of the Debian packages that shared libraries come from."""
    for library in libraries:
        package = owner(library)
        copy([DOCUMENTS / package / "copyright"], folder / package)


def owner(library: pathlib.Path) -> str:
    # A package may have a file as /lib/a, which is /usr/lib/a since /lib is a link.
    other = str(library)[4:] if str(library).startswith("/usr/") else f"/usr{library}"
    for path in (str(library), other):
        ended = subprocess.run(["dpkg", "--search", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               check=False)
        if ended.returncode == 0:
            return re.split("[:,]", ended.stdout)[0]
    raise ReleaseError(f"no package has {library}, so its licence is not known. Install it by apt-get.")


def copy(files: Iterable[pathlib.Path], folder: pathlib.Path) -> None:
    for file in files:
        if not file.exists():
            raise ReleaseError(f"there is no {file}, which must be in the archive.")
        folder.mkdir(parents=True, exist_ok=True)
        if file.is_dir():
            shutil.copytree(file, folder / file.name)
        else:
            shutil.copy(file, folder)
