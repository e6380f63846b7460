"""Builds the wheel for `pip install ./bots/python` with the standard library alone, so that no network is needed."""

import base64
import hashlib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
NAME = "molerun-1.0.0"
METADATA = """\
Metadata-Version: 2.1
Name: molerun
Version: 1.0.0
Summary: Bots, environments and search for the five games of molerun
Requires-Python: >=3.9
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: backend.py
Root-Is-Purelib: true
Tag: py3-none-any
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517: write the wheel and return its name."""
    sources = sorted((HERE / "molerun").glob("*.py"))
    files = {f"molerun/{path.name}": path.read_bytes() for path in sources}
    files["molerun/py.typed"] = b""
    files[f"{NAME}.dist-info/METADATA"] = METADATA.encode()
    files[f"{NAME}.dist-info/WHEEL"] = WHEEL.encode()
    record = f"{NAME}.dist-info/RECORD"
    files[record] = "".join([*map(_recorded, files, files.values()), f"{record},,\n"]).encode()
    wheel = f"{NAME}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return wheel


def _recorded(name, body):
    digest = base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(body)}\n"
