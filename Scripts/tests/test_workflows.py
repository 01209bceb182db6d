import importlib.util
import unittest

from tests.tree import Tree

if CHECKERS := importlib.util.find_spec("ruamel") is not None:
    from law import workflow_file, workflows

SCRIPT = "#!/bin/sh\necho words\n"
PINNED = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"
WORKFLOW = """on: push
permissions: {}
defaults:
  run:
    shell: runuser builder -- -e {0}
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: %s # v7.0.1
        with:
          persist-credentials: false
      - name: Echo
        run: |
          for word in $WORDS; do
            echo "$word"
          done
        env:
          WORDS: a b
""" % PINNED
PATH = ".github/workflows/a.yml"


@unittest.skipUnless(CHECKERS, "the packages of Scripts/requirements-checks.txt, which ./astrolabe check installs")
class WorkflowsTests(unittest.TestCase):
    def check(self, workflow=WORKFLOW, script=SCRIPT, name=PATH):
        with Tree({name: workflow, "run": script}) as tree:
            return [str(found) for found in workflows.check(tree.root)]

    def changed(self, old, new):
        """What is found when a part of the workflow is another."""
        self.assertIn(old, WORKFLOW)
        return self.check(WORKFLOW.replace(old, new))

    def test_a_workflow_without_an_error_passes(self):
        self.assertEqual(self.check(), [])
        self.assertEqual(self.check(name=".github/workflows/b.yaml"), [])

    def test_a_key_that_github_does_not_know_is_found_on_its_line(self):
        (found,) = self.changed("    runs-on: ubuntu-24.04", "    run-on: ubuntu-24.04")
        self.assertIn(f"{PATH}:7: $.jobs.build: 'runs-on' is a required property", found)
        (found,) = self.changed("WORDS: a b", "WORDS: [a]")
        self.assertIn(f"{PATH}:19: $.jobs.build.steps[1].env.WORDS", found)

    def test_text_that_is_not_yaml_is_found_on_its_line(self):
        (found,) = self.changed("  build:", "  build: [")
        self.assertRegex(found, rf"^{PATH}:\d+: not YAML: ")
        (found,) = self.changed("jobs:", "permissions: {}\njobs:")
        self.assertRegex(found, rf"^{PATH}:6: not YAML: found duplicate key")

    def test_an_action_that_is_not_pinned_is_found(self):
        (found,) = self.changed(PINNED, "actions/checkout@v7.0.1")
        self.assertTrue(found.startswith(f"{PATH}:10: unpinned action reference: "), found)

    def test_a_pin_without_its_version_is_found(self):
        for comment in ("", " # latest"):
            (found,) = self.changed(" # v7.0.1", comment)
            self.assertEqual(found, f"{PATH}:10: expected the action's version in a comment: # v1.2.3")

    def test_an_action_in_any_form_has_its_version_in_a_comment(self):
        options = "with: {persist-credentials: false}"
        forms = (
            f'      - uses: "{PINNED}"%s\n        {options}\n',
            f"      - {options}\n        uses : '{PINNED}'%s\n",
            f"      -   uses: {PINNED.replace('d', 'D')}%s\n          {options}\n",
            f'      - {options}\n        "uses":\n          {PINNED}%s\n',
            f"      - {{uses: {PINNED}, {options}}}%s\n",
        )
        steps = "      - name: Echo\n"
        self.assertEqual(self.changed(steps, "".join(form % " # v7.0.1" for form in forms) + steps), [])
        found = self.changed(steps, "".join(form % " # newest" for form in forms) + steps)
        message = "expected the action's version in a comment: # v1.2.3"
        self.assertEqual(found, [f"{PATH}:{line}: {message}" for line in (13, 16, 17, 21, 22)])

    def test_a_workflow_of_others_has_its_version_in_a_comment(self):
        job = "jobs:\n  lint:\n    uses: a/b/.github/workflows/lint.yml@" + PINNED.split("@")[1]
        self.assertIn(f"{PATH}:8: expected the action's version in a comment: # v1.2.3", self.changed("jobs:", job))

    def test_an_image_is_named_by_its_hash(self):
        step = f"- uses: {PINNED} # v7.0.1"
        refused = f"{PATH}:10: expected an image by its hash: docker://name@sha256:…"
        self.assertIn(refused, self.changed(step, "- uses: docker://alpine:3.8"))
        self.assertNotIn(refused, self.changed(step, f"- uses: docker://alpine@sha256:{'0' * 64}"))

    def test_a_job_needs_a_job_of_the_workflow(self):
        for needs in ("nothing", "[build, nothing]"):
            found = self.changed("    steps:", f"    needs: {needs}\n    steps:")
            self.assertEqual(found, [f"{PATH}:9: there is no job 'nothing'"])

    def test_a_finding_is_ignored_with_a_reason_only(self):
        comments = ("# zizmor: ignore[unpinned-uses]", "#zizmor: ignore[a,b] #", "# shellcheck disable=SC2086 # -")
        message = "expected a reason after what is ignored"
        for reason, lines in (("", (11, 12, 13)), (" # tags of ours", ())):
            text = "".join(f"\n      {comment}{reason}" for comment in comments)
            found = self.changed(" # v7.0.1", " # v7.0.1" + text)
            self.assertEqual(found, [f"{PATH}:{line}: {message}" for line in lines])
        words = "#!/bin/sh\n# shellcheck disable=SC2086{}\necho $1\n"
        self.assertEqual(self.check(script=words.format("")), [f"run:2: {message}"])
        self.assertEqual(self.check(script=words.format("  # each word is an argument")), [])

    def test_what_others_may_write_in_a_command_is_found(self):
        (found,) = self.changed('"$word"', '"$word ${{ github.event.pull_request.title }}"')
        self.assertIn(f"{PATH}:16: code injection via template expansion: ", found)

    def test_a_command_that_a_shell_splits_is_found_on_its_line(self):
        message = "Double quote to prevent globbing and word splitting. (shellcheck: SC2086)"
        self.assertEqual(self.changed('"$word"', "$word"), [f"{PATH}:16: {message}"])
        one_line = WORKFLOW.split("        run: |")[0] + "        run: echo $word$WORDS\n"
        self.assertIn(f"{PATH}:14: {message}", self.check(one_line))

    def test_a_command_is_checked_for_the_shell_that_runs_it(self):
        here = ('echo "$word"', 'cat <<<"$word"')
        self.assertEqual(self.changed(*here), [])
        in_sh = WORKFLOW.replace(*here) + "        shell: sh\n"
        self.assertIn("In POSIX sh, here-strings are undefined", self.check(in_sh)[0])
        (found,) = self.check(WORKFLOW + "        shell: python\n")
        self.assertEqual(found, f"{PATH}:15: expected a command for a shell, not for python")

    def test_a_shell_script_with_an_error_is_found(self):
        (found,) = self.check(script="#!/bin/sh\ncd /tmp\n")
        self.assertTrue(found.startswith("run:2: Use 'cd ... || exit'"), found)
        (found,) = self.check(script="#!/usr/bin/env python3\ncd /tmp\n")
        self.assertEqual(found, ".:1: expected shell scripts to check")

    def test_without_workflows_the_check_fails(self):
        self.assertIn("expected workflows to check", self.check(name="elsewhere.yml")[0])

    def test_a_command_has_the_environment_of_its_levels_and_the_nearest_shell(self):
        (command,) = workflow_file.commands(workflow_file.read("env: {A: 1, B: 1}\n" + WORKFLOW))
        self.assertEqual(command.environment, {"A": 1, "B": 1, "WORDS": "a b"})
        self.assertEqual((command.job, command.name), ("build", "Echo"))
        self.assertEqual(command.shell, "runuser builder -- -e {0}")
        (command,) = workflow_file.commands(workflow_file.read(WORKFLOW + "        shell: bash\n"))
        self.assertEqual(command.shell, "bash --noprofile --norc -eo pipefail {0}")


if __name__ == "__main__":
    unittest.main()
