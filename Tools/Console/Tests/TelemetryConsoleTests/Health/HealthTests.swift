import AstrolabeTelemetryModel
import BrowserKit
import ConsoleModel
import Foundation
import Symbolication
import Testing

@testable import TelemetryConsole

@Suite(.timeLimit(.minutes(3))) struct HealthTests {
    private func symbols(_ console: ConsoleUnderTest) -> SymbolStore {
        SymbolStore(folder: console.console.configuration.symbolsFolder)
    }

    @Test(arguments: TestedStore.all)
    func `a crash names the build whose symbols it wants, and has functions and lines once they are there`(
        store: TestedStore
    )
        async throws
    {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run(on: store) { console in
            let trouble = Trouble(program: program)
            try await console.console.store.ingest(logs: trouble.group([try trouble.crash()]))
            let bare = try await console.get("/api/v1/health/groups")["groups"][0]
            #expect(bare["title"].text == Trouble.message)
            #expect(bare["place"].text?.hasPrefix("astronomy-shop + 0x") == true)
            #expect(bare["wantedBuilds"][0].text == program.buildID)

            try symbols(console).add(program.file)
            let group = try await console.get("/api/v1/health/groups")["groups"][0]
            #expect(group["place"].text == "check(_:) · main.swift:7")
            #expect(group["wantedBuilds"].elements.isEmpty)
            #expect(group["count"].int == 1)

            let fingerprint = try #require(group["fingerprint"].text)
            let seq = try #require(
                try await console.get("/api/v1/health/groups/\(fingerprint)")["problems"][0]["seq"].int)
            let problem = try await console.get("/api/v1/health/problems/\(seq)")
            let frames = problem["threads"].elements.first { $0["crashed"].bool == true }?["frames"].elements ?? []
            try #require(frames.count == 4)
            #expect(frames[0]["address"].text == "libc.so.6 + 0x2a1b0")
            #expect(frames[0]["sources"].isMissing)
            let named = frames.dropFirst().map { frame in
                (frame["sources"][0]["function"].text ?? "", frame["sources"][0]["line"].int ?? 0)
            }
            #expect(named.map(\.0) == ["check(_:)", "CartModel.add(_:)", "start(_:)"])
            #expect(named.map(\.1) == [7, 3, 14])
            #expect(problem["wanted"].elements.isEmpty)
            #expect(problem["attributes"]["astrolabe.crash.threads"].isMissing)
        }
    }

    @Test(arguments: TestedStore.all)
    func `crashes with one cause are one issue in debug and release, whatever the addresses`(store: TestedStore)
        async throws
    {
        let programs = [try ShopProgram(), try ShopProgram(optimised: true)]
        defer { programs.forEach { $0.remove() } }
        #expect(try programs[0].address(.check) != programs[1].address(.check))
        try await ConsoleUnderTest.run(on: store) { console in
            for (index, program) in programs.enumerated() {
                try symbols(console).add(program.file)
                var trouble = Trouble(program: program)
                trouble.version = "1.\(index)"
                trouble.user = index
                trouble.time += UInt64(index) * 100
                try await console.console.store.ingest(logs: trouble.group([try trouble.crash()]))
            }
            let groups = try await console.get("/api/v1/health/groups")["groups"].elements
            #expect(groups.count == 1)
            #expect(groups.first?["count"].int == 2)
            #expect(groups.first?["users"].int == 2)
            #expect(groups.first?["versions"].elements.compactMap(\.text) == ["1.1", "1.0"])
        }
    }

    @Test(arguments: TestedStore.all)
    func `a hang's samples are merged, and it is named by the deepest function that most share`(
        store: TestedStore
    ) async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run(on: store) { console in
            try symbols(console).add(program.file)
            let trouble = Trouble(program: program)
            try await console.console.store.ingest(logs: trouble.group([try trouble.hang()]))
            let group = try await console.get("/api/v1/health/groups?kind=hang")["groups"][0]
            #expect(group["title"].text == "Hang in burn(_:)")
            let fingerprint = try #require(group["fingerprint"].text)
            var node = try await console.get("/api/v1/health/groups/\(fingerprint)")["flame"]
            #expect(node["seconds"].int == 2)
            for name in ["start(_:)", "CartModel.add(_:)", "check(_:)"] {
                node = node["children"][0]
                #expect(node["name"].text == name)
                #expect(node["own"].bool == true)
                #expect(node["seconds"].int == 2)
            }
            #expect(node["children"].elements.map { $0["name"].text } == ["burn(_:)", "libc.so.6"])
            #expect(node["children"][0]["children"][0]["name"].text == "libc.so.6")
        }
    }

    @Test
    func `malformed records are listed and break nothing`() async throws {
        let program = try ShopProgram()
        defer { program.remove() }
        try await ConsoleUnderTest.run { console in
            let trouble = Trouble(program: program)
            let strange: [Attributes] = [
                ["astrolabe.crash.threads": "none", "astrolabe.images": 7],
                ["astrolabe.images": AttributeValue.array([.map(["name": 3, "build_id": "zz"]), 5])],
                [
                    "astrolabe.images": AttributeValue.array([]),
                    "astrolabe.crash.threads": AttributeValue.array([
                        .map([
                            "is_crashed": true,
                            "frames": AttributeValue.array([.map(["image": -9, "offset": -1]), "x", .map([:])]),
                        ]), 1,
                    ]),
                ],
            ]
            for (index, attributes) in strange.enumerated() {
                var other = trouble
                other.time += UInt64(index) * 10
                try await console.console.store.ingest(logs: other.group([try other.crash(attributes)]))
            }
            let groups = try await console.get("/api/v1/health/groups")["groups"].elements
            #expect(groups.reduce(0) { $0 + ($1["count"].int ?? 0) } == 3)
            for group in groups {
                let fingerprint = try #require(group["fingerprint"].text)
                for problem in try await console.get("/api/v1/health/groups/\(fingerprint)")["problems"].elements {
                    _ = try await console.get("/api/v1/health/problems/\(try #require(problem["seq"].int))")
                }
            }
        }
    }

    @Test
    func `requests for unknown problems return 404`() async throws {
        try await ConsoleUnderTest.run { console in
            for (path, status) in [
                ("groups/0011", 404), ("problems/7", 404), ("problems/seven", 404), ("groups?kind=fire", 400),
            ] {
                let response = try await HTTP.request("GET", "\(console.address)/api/v1/health/\(path)")
                #expect(response.status == status, "\(path)")
            }
            #expect(try await console.get("/api/v1/health/releases")["releases"].elements.isEmpty)
            #expect(try await console.get("/api/v1/health/screens")["screens"].elements.isEmpty)
        }
    }
}
