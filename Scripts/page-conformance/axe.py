"""The script of axe-core, from the package selenium-axe-python.

axe.py        prints the script
"""

import importlib.util
import pathlib
import sys

package = importlib.util.find_spec("selenium_axe_python")
if package is None or package.origin is None:
    sys.exit("axe.py: selenium-axe-python is not installed; ./astrolabe test installs Scripts/requirements.txt")
script = pathlib.Path(package.origin).parent / "axe-core" / "axe.min.js"
print(script.read_text(encoding="utf-8"))
