import AstrolabeTestSupport
import Foundation
import ViewTree

/// A small program in the place of the shop, so that a test decides what an app does.
struct StandInApp: Sendable {
    let program: String

    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    /// Shell.
    static func shell(_ commands: String) -> StandInApp { StandInApp(program: "#!/bin/sh\n\(commands)\n") }

    /// Python that has a `link` to the device, and `say` and `hello` to speak over it.
    static func python(_ commands: String) -> StandInApp {
        StandInApp(
            program: """
                #!/usr/bin/python3
                import json, os, socket, sys, time
                link = socket.socket(socket.AF_UNIX)
                link.connect(os.environ["ASTROLABE_DEVICE_LINK"])
                def say(type, body):
                    link.sendall((json.dumps({"type": type, "body": body}) + "\\n").encode())
                def hello(version=1):
                    say("hello", {"version": version, "name": "stand-in", "appVersion": "1", "processID": os.getpid()})
                def screen(revision, label):
                    button = {"id": 2, "kind": "button", "properties": {"identifier": "count", "label": label},
                              "actions": ["tap"], "children": []}
                    return {"revision": revision, "root": {"id": 1, "kind": "window", "properties": {}, "actions": [],
                            "children": [button]}}
                def find(node, id):
                    found = (find(child, id) for child in node["children"])
                    return node if node["id"] == id else next(filter(None, found), None)
                \(commands)
                """
        )
    }

    /// Counts the taps on a button, `count`, and remembers them in its folder.
    static let counter = python(
        """
        memory = os.environ["ASTROLABE_APP_STORAGE"] + "/count"
        count = int(open(memory).read()) if os.path.exists(memory) else 0
        hello()
        shown = 0
        def show():
            global shown
            shown += 1
            say("screen", screen(shown, f"Tapped {count} times"))
        for line in link.makefile("r", encoding="utf-8"):
            message = json.loads(line)
            body = message.get("body")
            if message["type"] in ("begin", "screen"):
                show()
            elif message["type"] == "event":
                isKnown = body["event"]["node"] == 2 and body["event"]["action"] == "tap"
                if isKnown:
                    count += 1
                    open(memory, "w").write(str(count))
                    show()
                say("outcome", {"number": body["number"], "outcome": "handled" if isKnown else "gone"})
            elif message["type"] == "resource":
                say("resource", {"name": body})
            elif message["type"] == "terminate":
                break
        """)

    /// Shows the button of ``counter``, and takes no tap on it.
    static let refusing = python(
        """
        hello()
        for line in link.makefile("r", encoding="utf-8"):
            message = json.loads(line)
            if message["type"] == "begin":
                say("screen", screen(1, "Do not touch me"))
            elif message["type"] == "event":
                say("outcome", {"number": message["body"]["number"], "outcome": "gone"})
        """)

    /// Shows the button of ``counter``. Responds to a tap when there is a file `end-of-hang` in its folder.
    static let hanging = python(
        """
        hello()
        for line in link.makefile("r", encoding="utf-8"):
            message = json.loads(line)
            if message["type"] in ("begin", "screen"):
                say("screen", screen(1, "Touch me"))
            elif message["type"] == "event":
                while not os.path.exists(os.environ["ASTROLABE_APP_STORAGE"] + "/end-of-hang"):
                    time.sleep(0.05)
                say("outcome", {"number": message["body"]["number"], "outcome": "handled"})
        """)

    /// Shows a screen, and takes no events.
    static func showing(_ tree: RenderedTree) throws -> StandInApp {
        let screen = String(decoding: try JSONEncoder().encode(tree), as: UTF8.self)
        return python(
            """
            hello()
            for line in link.makefile("r", encoding="utf-8"):
                if json.loads(line)["type"] in ("begin", "screen"):
                    say("screen", json.loads(r'''\(screen)'''))
            """)
    }

    /// Shows a screen, and the last measure of each node in the text with this id.
    static func showingMeasures(_ tree: RenderedTree, in text: Int) throws -> StandInApp {
        let screen = String(decoding: try JSONEncoder().encode(tree), as: UTF8.self)
        return python(
            """
            hello()
            tree = json.loads(r'''\(screen)''')
            measures = {}
            for line in link.makefile("r", encoding="utf-8"):
                message = json.loads(line)
                if message["type"] == "event":
                    event = message["body"]["event"]
                    say("outcome", {"number": message["body"]["number"], "outcome": "handled"})
                    if event["action"] != "measure":
                        continue
                    measures[event["node"]] = " ".join(f"{number:g}" for number in event["value"])
                    tree["revision"] += 1
                    find(tree["root"], \(text))["properties"]["text"] = "".join(f"{k}: {v};" for k, v in measures.items())
                if message["type"] in ("begin", "screen", "event"):
                    say("screen", tree)
            """)
    }

    /// Shows a screen, and its events in the text with this id: the action and the node, and for a drag the phase and
    /// the way in points. The last drag event of a phase takes the place of those before it.
    static func showingEvents(_ tree: RenderedTree, in text: Int) throws -> StandInApp {
        let screen = String(decoding: try JSONEncoder().encode(tree), as: UTF8.self)
        return python(
            """
            hello()
            tree = json.loads(r'''\(screen)''')
            events = []
            for line in link.makefile("r", encoding="utf-8"):
                message = json.loads(line)
                if message["type"] == "event":
                    event = message["body"]["event"]
                    say("outcome", {"number": message["body"]["number"], "outcome": "handled"})
                    name, value = f"{event['action']} {event['node']}", ""
                    if event["action"] == "drag":
                        phase, x, y, startX, startY = event["value"]
                        name, value = f"{name} {phase}", f" {x - startX:.0f} {y - startY:.0f}"
                    if value and events and events[-1][0] == name:
                        events.pop()
                    events.append((name, value))
                    tree["revision"] += 1
                    find(tree["root"], \(text))["properties"]["text"] = ", ".join(name + value for name, value in events)
                if message["type"] == "terminate":
                    break
                if message["type"] in ("begin", "screen", "event"):
                    say("screen", tree)
            """)
    }

    /// Shows a screen. After the first tap it shows another, and with each further one a number in the text 10.
    static func changing(_ before: RenderedTree, to after: RenderedTree) throws -> StandInApp {
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        return python(
            """
            hello()
            taps = 0
            for line in link.makefile("r", encoding="utf-8"):
                message = json.loads(line)
                if message["type"] in ("begin", "screen") and taps == 0:
                    say("screen", json.loads(r'''\(try json(before))'''))
                elif message["type"] == "event" and message["body"]["event"]["action"] == "tap":
                    taps += 1
                    patch = json.loads(r'''\(try json(TreePatch(from: before, to: after)))''')
                    if taps > 1:
                        text = {"id": 10, "kind": "text", "properties": {"text": f"Go {taps}"}, "actions": [], "children": []}
                        patch.update(base=taps, revision=taps + 1, nodes=[text], removed=[])
                    say("patch", patch)
                    say("outcome", {"number": message["body"]["number"], "outcome": "handled"})
            """)
    }

    func executable(in folder: TemporaryDirectory) throws -> URL {
        let path = folder.path + "/stand-in"
        let made = FileManager.default.createFile(
            atPath: path, contents: Data(program.utf8), attributes: [.posixPermissions: 0o700])
        guard made else { throw CocoaError(.fileWriteUnknown) }
        return URL(fileURLWithPath: path)
    }
}
