import shutil
import unittest

from tests.machine import FAKES, Machine
from tests.test_front_door import BUILD


class UnneededBuildTests(unittest.TestCase):
    def test_a_program_is_built_again_only_after_a_change_of_the_checkout_or_the_compiler(self):
        for shell in filter(shutil.which, ("dash", "bash")):
            with self.subTest(shell), Machine(shell=shell) as machine:
                build = BUILD.format(machine.root, "debug")

                def builds(*arguments):
                    machine.forget()
                    self.assertEqual(machine.run("query", *arguments).status, 0)
                    return machine.calls.count(build)

                self.assertEqual([builds(), builds(), builds("--again")], [1, 0, 0])
                (machine.repository / "README.md").touch()
                self.assertEqual([builds(), builds()], [1, 0])
                (machine.repository / ".astrolabe/log").touch()
                (machine.repository / ".build/debug/other").touch()
                self.assertEqual(builds(), 0)
                machine.edit()
                self.assertEqual([builds(), builds()], [1, 0])
                (machine.repository / "Tools/Edited.swift").unlink()
                self.assertEqual([builds(), builds()], [1, 0])
                (machine.repository / ".build/debug/astrolabe-local").unlink()
                self.assertEqual([builds(), builds()], [1, 0])
                (machine.bin / "swift").unlink()
                shutil.copy(FAKES / "swift", machine.bin / "swift")
                self.assertEqual([builds(), builds()], [1, 0])

    def test_a_program_is_built_again_after_a_build_that_failed(self):
        with Machine() as machine:
            machine.run("query")
            machine.edit()
            machine.mark("build-fails")
            self.assertEqual(machine.run("query").status, 1)
            (machine.state / "build-fails").unlink()
            machine.forget()
            self.assertEqual(machine.run("query").status, 0)
            self.assertEqual(machine.calls, [BUILD.format(machine.root, "debug")])
