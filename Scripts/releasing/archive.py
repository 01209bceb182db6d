"""The program `astrolabe` with all that it reads when it runs, for machines that have no Swift."""

import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from typing import List, Optional

from releasing import ReleaseError, git, licenses, materials, mirror, versions
from releasing.materials import SYMBOLIZER

PROGRAM = "astrolabe"

# Those of glibc come with the system: they and its loader must have one version.
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl))\.so\.\d+")


def make(root: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Builds the program and writes an archive of it into a folder, with its bill of materials beside it."""
    # A folder of its own, because modules for a static standard library are compiled with other flags.
    scratch = root / ".build-archive"
    build_folder = build(root, scratch)
    version = versions.current(root)
    machine = {"arm64": "arm64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    name = f"{PROGRAM}-{version}-{'macos' if sys.platform == 'darwin' else 'linux'}-{machine}"
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"{name}.tar.gz"
    with tempfile.TemporaryDirectory(prefix="astrolabe-archive-") as temporary:
        content = pathlib.Path(temporary) / name
        files = collect(root, scratch, build_folder, content)
        described = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(content, name, filter=without_owner)
    created = git(root, "show", "--no-patch", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd", "HEAD",
                  env={**os.environ, "TZ": "UTC"})
    bill = materials.bill(name, version, created, scratch / "workspace-state.json", described, toolchain())
    (folder / f"{name}.spdx.json").write_text(bill, encoding="utf-8")
    return archive


def build(root: pathlib.Path, scratch: pathlib.Path) -> pathlib.Path:
    """Builds the program for release and returns the folder that it is in."""
    options = ["--multiroot-data-file", str(root / "Astrolabe.xcworkspace"), "--scratch-path", str(scratch)]
    options += ["--configuration", "release", "--product", PROGRAM]
    if sys.platform != "darwin":
        require_curl()
        # The libraries find one another there, too, which they do by RPATH but not by RUNPATH.
        linked = ["-s", "-rpath=$ORIGIN/../lib", "--disable-new-dtags"]
        options += ["--static-swift-stdlib", *(word for option in linked for word in ("-Xlinker", option))]
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    for command in (["swift", "build", *options], ["swift", "build", *options, "--show-bin-path"]):
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)
        if ended.returncode != 0:
            print(ended.stdout, file=sys.stderr)
            raise ReleaseError(f"the build of {PROGRAM} failed with status {ended.returncode}.")
    return pathlib.Path(ended.stdout.strip())


def require_curl() -> None:
    command = ["clang", "-shared", "-lcurl", "-o", "/dev/null"]
    if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise ReleaseError("Foundation is linked statically, which needs libcurl to link with. On Debian and Ubuntu: "
                           "apt-get install libcurl4-openssl-dev.")


def toolchain() -> Optional[str]:
    """The tag of the toolchain, parts of which are in the archive, except on a Mac, which has them."""
    if sys.platform == "darwin":
        return None
    output = subprocess.run(["swift", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    match = re.search(r"\((swift-[^)]+)\)", output)
    if not match:
        raise ReleaseError(f"{output.strip()} is no release of Swift. Expected one such as (swift-6.3.1-RELEASE).")
    return match[1]


def collect(
    root: pathlib.Path, scratch: pathlib.Path, build_folder: pathlib.Path, content: pathlib.Path,
) -> List[pathlib.Path]:
    """Copies the program and what it reads, the licences and the description. Returns what others have built."""
    programs, libraries = content / "bin", content / "lib"
    programs.mkdir(parents=True)
    libraries.mkdir()
    shutil.copy(build_folder / PROGRAM, programs)
    for bundle in sorted(build_folder.iterdir()):
        if bundle.suffix in (".resources", ".bundle"):
            shutil.copytree(bundle, programs / bundle.name)
    shutil.copy(root / "LICENSE", content)
    licenses.copy_packages(scratch / "checkouts", content / "licenses")
    tracked = set(git(root, "ls-files").splitlines())
    elsewhere = (tracked | mirror.parents(tracked)) - {"LICENSE"}
    readme = (root / "README.md").read_text(encoding="utf-8")
    (content / "README.md").write_text(
        mirror.with_public_links(readme, "", versions.current(root), elsewhere), encoding="utf-8")
    # A Mac has its own libraries, and the symbolizer of its developer tools.
    if sys.platform == "darwin":
        return []
    symbolizer = pathlib.Path(shutil.which("swift")).resolve().parent / SYMBOLIZER
    shutil.copy(symbolizer, programs)
    loaded = {library for program in (build_folder / PROGRAM, symbolizer) for library in shared_libraries(program)}
    for library in loaded:
        shutil.copy(library, libraries)
    licenses.copy_toolchain(symbolizer.parent, content / "licenses")
    licenses.copy_libraries(loaded, content / "licenses")
    return [programs / SYMBOLIZER, *sorted(libraries.iterdir())]


def shared_libraries(program: pathlib.Path) -> List[pathlib.Path]:
    """The libraries that a program loads and that are not parts of glibc."""
    listed = subprocess.run(["ldd", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
    missing = re.findall(r"(\S+) => not found", listed)
    if missing:
        raise ReleaseError(f"{program.name} needs {', '.join(missing)}, which this machine does not have.")
    found = re.findall(r"^\s*(\S+) => (/.+) \(0x", listed, re.MULTILINE)
    return [pathlib.Path(path) for name, path in found if not SYSTEM.fullmatch(name)]


def without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
