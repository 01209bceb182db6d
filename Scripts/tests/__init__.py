"""Proves that each rule of the law catches what it forbids, and that the front door does what it says."""

import pathlib
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))
