"""Builds wheels with the standard library alone, the same bytes from the same sources.

`pip install ./bots/python` calls build_wheel for the package without the program. `make wheel` calls
`python3 backend.py --version TAG --platform linux/amd64 --program molerun FOLDER` for one that carries it: pip puts the
program beside its Python.
"""

import argparse
import base64
import hashlib
import re
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCE_VERSION = "0.0.0.dev0"
"""The version of what no tag names."""

PLATFORMS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
}
"""The tags of Go's platforms. A static program needs no C library; Go 1.26 needs macOS 12."""

METADATA = """\
Metadata-Version: 2.1
Name: molerun
Version: {version}
Summary: Bots, environments and search for the five games of molerun
Requires-Python: >=3.9
License: Apache-2.0
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: backend.py
Root-Is-Purelib: {pure}
Tag: {tag}
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517: write the wheel of the package alone and return its name."""
    return write(Path(wheel_directory), SOURCE_VERSION)


def write(folder, version, platform=None, program=None):
    """Write a wheel, with a program for a platform or without one, and return its name."""
    name = f"molerun-{version}"
    tags = ["py3-none-any"] if platform is None else [f"py3-none-{tag}" for tag in PLATFORMS[platform].split(".")]
    files = {f"molerun/{path.name}": path.read_bytes() for path in sorted((HERE / "molerun").glob("*.py"))}
    files["molerun/py.typed"] = b""
    if program is not None:
        suffix = ".exe" if platform.startswith("windows/") else ""
        files[f"{name}.data/scripts/molerun{suffix}"] = Path(program).read_bytes()
    files[f"{name}.dist-info/METADATA"] = METADATA.format(version=version).encode()
    pure = "true" if program is None else "false"
    files[f"{name}.dist-info/WHEEL"] = WHEEL.format(pure=pure, tag="\nTag: ".join(tags)).encode()
    record = f"{name}.dist-info/RECORD"
    files[record] = "".join([*map(_recorded, files, files.values()), f"{record},,\n"]).encode()
    wheel = f"{name}-py3-none-{'any' if platform is None else PLATFORMS[platform]}.whl"
    with zipfile.ZipFile(folder / wheel, "w") as archive:
        for path, body in files.items():
            entry = zipfile.ZipInfo(path)  # of 1980: the time of the build would make other bytes
            entry.create_system = 3  # Unix: pip reads the mode on every system
            entry.external_attr = (0o100755 if ".data/scripts/" in path else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body, compresslevel=9)
    return wheel


def version_of(tag):
    """The version (PEP 440) of what `git describe --tags --always --dirty` says: a tag's own, else a local one."""
    release = re.fullmatch(r"v?(\d+(\.\d+)*((a|b|rc)\d+)?)", tag)
    return release[1] if release else f"{SOURCE_VERSION}+{re.sub('[^a-z0-9]+', '.', tag.lower()).strip('.')}"


def _recorded(name, body):
    digest = base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(body)}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write a wheel that carries the program.")
    parser.add_argument("--version", required=True, help="what git describe says")
    parser.add_argument("--platform", required=True, choices=PLATFORMS)
    parser.add_argument("--program", required=True, help="molerun, built for that platform")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    print(write(options.folder, version_of(options.version), options.platform, options.program))
