import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

/// Processes that really crash, and what the next start tells of them.
@Suite struct CrashTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var name: String
        var signal: String
        var message = ""
        /// Must be among the functions of the crashed thread.
        var function = ""
        var isMain = true
        /// True if another way shows the same by default.
        var isThorough = false
        var testDescription: String { name }
    }

    static let ways = allWays.filter { !$0.isThorough || Thoroughness.isThorough }

    private static let allWays = [
        Way(
            name: "null-dereference", signal: "SIGSEGV", message: "SEGV_MAPERR at 0x10",
            function: "crash_null_dereference"),
        Way(name: "null-call", signal: "SIGSEGV", message: "SEGV_MAPERR at 0x0", function: "crash_null_call"),
        Way(name: "beyond-file", signal: "SIGBUS", message: "BUS_ADRERR", function: "crash_beyond_file"),
        Way(name: "bad-instruction", signal: "SIGILL", message: "ILL_ILLOPN", function: "crash_bad_instruction"),
        Way(name: "breakpoint", signal: "SIGTRAP", function: "crash_breakpoint"),
        Way(name: "division", signal: "SIGFPE", message: "FPE_INTDIV", function: "crash_division"),
        Way(name: "forbidden-call", signal: "SIGSYS", message: "SI_TKILL", function: "crash_forbidden_call"),
        Way(name: "abort", signal: "SIGABRT", message: "SI_TKILL", function: "crash_abort"),
        Way(
            name: "uncaught-exception", signal: "std::runtime_error", message: "the mirror cracked",
            function: "crash_uncaught_exception"),
        Way(name: "fatal-error", signal: "SIGILL", message: "the telescope fell over", function: "CrashWays"),
        Way(
            name: "precondition", signal: "SIGILL", message: "a lens is missing", function: "CrashWays",
            isThorough: true),
        Way(
            name: "forced-unwrap", signal: "SIGILL", message: "Unexpectedly found nil", function: "CrashWays",
            isThorough: true),
        Way(
            name: "index", signal: "SIGILL", message: "Index out of range", function: "CrashWays", isThorough: true),
        Way(name: "overflow", signal: "SIGILL", function: "CrashWays", isThorough: true),
        Way(name: "forced-cast", signal: "SIGABRT", message: "Could not cast value", function: "CrashWays"),
        Way(name: "stack-overflow", signal: "SIGSEGV", function: "deepen"),
        Way(name: "thread", signal: "SIGSEGV", function: "crash_null_dereference", isMain: false),
        Way(name: "task", signal: "SIGSEGV", function: "crash_null_dereference", isMain: false, isThorough: true),
    ]

    @Test func `the system's report of a crash that was captured is evidence, and no second crash`() throws {
        let app = try CrashingApp()
        _ = try app.run("null-dereference")
        let time = Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
        let payload = """
            {"timeStampBegin": "\(time)", "timeStampEnd": "\(time)", "crashDiagnostics": [{"diagnosticMetaData":
            {"signal": 11, "exceptionType": 1, "terminationReason": "Namespace SIGNAL, Code 0xb"}}]}
            """
        let path = app.folder.path + "/payload.json"
        try Data(payload.utf8).write(to: URL(fileURLWithPath: path))
        let events = try app.report(environment: ["FIXTURE_DIAGNOSTICS": path])
        let crash = try #require(events.named(EventName.appCrash).first)
        let evidence = try #require(events.named("astrolabe.diagnostic").first)
        #expect(events.named(EventName.appCrash).count == 1)
        #expect(evidence.text("app.crash.id") == crash.text("app.crash.id"))
        #expect(evidence.text("session.id") == crash.text("session.id"))
        #expect(evidence.timeUnixNano == crash.timeUnixNano)
        #expect(evidence.text("astrolabe.diagnostic.termination_reason") == "Namespace SIGNAL, Code 0xb")
    }

    @Test(arguments: ways)
    func `a crash arrives once, with its identity and where it happened`(_ way: Way) throws {
        let app = try CrashingApp()
        let process = try app.run(way.name)
        #expect(process.terminationReason == .uncaughtSignal)
        let events = try app.report(environment: ["FIXTURE_VERSION": "2.0.0"])
        let crashes = events.named(EventName.appCrash)
        try #require(crashes.count == 1)
        let crash = crashes[0]

        #expect(crash.text("exception.type") == way.signal)
        let message = crash.text("exception.message")
        #expect(way.message.isEmpty ? !message.isEmpty : message.contains(way.message), "\(message)")
        #expect(!crash.text("session.id").isEmpty)
        #expect(crash.text("session.id") == app.note("session"))
        #expect(crash.text("service.version") == "1.2.3")
        #expect(crash.text("app.screen.name") == "ProductDetail")
        #expect(crash.text("demo.canary") == "yellow")
        #expect(crash.text("os.name") != "")
        #expect(crash.text("app.build_id").count == 40)
        #expect(crash.text("ios.app.state") == "active")
        #expect(crash.text("astrolabe.device.thermal_state") == "nominal")
        #expect(!crash.text("astrolabe.device.battery.state").isEmpty)
        #expect(crash.text("astrolabe.crash.stage") == "complete")
        #expect(crash.text("astrolabe.crash.phase") == "running")
        #expect(crash["process.pid"]?.intValue.map(String.init) == app.note("pid"))
        let isOverflow = crash["astrolabe.crash.is_stack_overflow"]?.boolValue == true
        #expect(isOverflow == (way.name == "stack-overflow"))
        let crumbs = crash[AttributeKey.astrolabeBreadcrumbs]?.list.compactMap(\.stringValue) ?? []
        #expect(crumbs.filter { $0.contains("\"step ") }.count == 3)
        #expect(crash.severityNumber == Severity.fatal.rawValue)

        let threads = crash["astrolabe.crash.threads"]?.list ?? []
        let crashed = try #require(threads.first)
        #expect(crashed["is_crashed"]?.boolValue == true)
        #expect((crashed["is_main"]?.boolValue ?? false) == way.isMain)
        #expect(threads.count > 1)
        #expect(threads.allSatisfy { $0["frames"]?.list.isEmpty == false })
        let functions = try Symbols.functions(of: crashed, in: crash)
        #expect(functions.contains { $0.contains(way.function) }, "\(functions)")
        if way.isMain, way.name != "stack-overflow" {
            #expect(functions.last?.contains("main") == true, "\(functions)")
        }

        let ends = events.named(EventName.runEnd)
        #expect(ends.map { $0.text("astrolabe.run.end.reason") } == ["crash"])
        #expect(ends.first?.text("app.crash.id") == crash.text("app.crash.id"))
        #expect(app.runFiles.count == 1)
    }

    @Test func `a crash is not told again by the launch after the one that told of it`() throws {
        let app = try CrashingApp()
        try app.run("null-dereference")
        #expect(try app.report().named(EventName.appCrash).count == 1)
        let events = try app.report()
        #expect(events.named(EventName.appCrash).count == 1)
        #expect(events.named(EventName.runEnd).map { $0.text("astrolabe.run.end.reason") } == ["crash", "clean"])
        #expect(app.runFiles.count == 1)
    }

    @Test func `a crash before the start has finished is reported`() throws {
        let app = try CrashingApp()
        try app.run("while-starting")
        let crash = try #require(try app.report().named(EventName.appCrash).first)
        #expect(crash.text("astrolabe.crash.phase") == "starting")
        #expect(crash.text("exception.type") == "SIGSEGV")
    }

    @Test func `a handler that crashes itself goes on with what is left`() throws {
        let app = try CrashingApp()
        let process = try app.run("in-handler")
        #expect(process.terminationReason == .uncaughtSignal)
        let crash = try #require(try app.report().named(EventName.appCrash).first)
        #expect(crash["astrolabe.crash.is_nested"]?.boolValue == true)
        #expect(crash.text("astrolabe.crash.stage") == "complete")
        let crashed = try #require(crash["astrolabe.crash.threads"]?.list.first)
        #expect(try Symbols.functions(of: crashed, in: crash).contains { $0.contains("crash_in_handler") })
    }

    @Test func `two threads that crash at once are one crash`() throws {
        let app = try CrashingApp()
        let process = try app.run("two-threads")
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(try app.report().named(EventName.appCrash).count == 1)
    }

    @Test func `crashes of runs one after the other are all reported, each with its own id`() throws {
        let app = try CrashingApp()
        try app.run("null-dereference")
        // This start finds the crash before, tells of it, and crashes before anything could be sent.
        try app.run("while-starting")
        try app.run("abort")
        let crashes = try app.report().named(EventName.appCrash)
        #expect(crashes.map { $0.text("exception.type") }.sorted() == ["SIGABRT", "SIGSEGV", "SIGSEGV"])
        #expect(Set(crashes.map { $0.text("app.crash.id") }).count == 3)
    }

    @Test func `a start that dies between the record and its mark repeats it under the same id`() throws {
        let app = try CrashingApp()
        try app.run("null-dereference")
        let copy = try app.folder.copy()
        _ = try app.report()
        // What a kill at that moment would leave: the record is made, and the file is still there.
        for file in copy.files where file.hasSuffix(".run") {
            let name = file.split(separator: "/").last ?? ""
            try FileManager.default.copyItem(
                atPath: file, toPath: app.folder.path + "/astrolabe-telemetry/health/" + name)
        }
        let crashes = try app.report().named(EventName.appCrash)
        #expect(crashes.count == 2)
        #expect(Set(crashes.map { $0.text("log.record.uid") }).count == 1)
        #expect(Set(crashes.map { $0.text("app.crash.id") }).count == 1)
    }

    @Test func `spans that were open arrive with what they had, and end with the crash`() throws {
        let app = try CrashingApp()
        try app.run("inside-open-spans")
        let crash = try #require(try app.report().named(EventName.appCrash).first)
        let unfinished = app.spans.filter { $0.span.attributes[AttributeKey.astrolabeSpanIsUnfinished] == true }
        #expect(Set(unfinished.map(\.span.name)) == ["before", "large", "outer", "inner"])
        #expect(unfinished.count == 4, "each once")
        #expect(Set(unfinished.map(\.scope)) == [InstrumentationScope(name: "fixture", version: "7")])
        for (_, span) in unfinished {
            #expect(span.status == .error("The app crashed: SIGSEGV"))
            #expect(span.endTimeUnixNano == max(crash.timeUnixNano, span.startTimeUnixNano))
            #expect(span.attributes[AttributeKey.sessionID] == crash[AttributeKey.sessionID])
        }
        func span(_ name: String) throws -> SpanData { try #require(unfinished.first { $0.span.name == name }).span }
        #expect(try span("before").kind == .client, "a new name is written at the end")
        #expect(try span("large").attributes.count { $0.key.hasPrefix("demo.text") } == 40)
        #expect(try span("inner").attributes["demo.step"] == 3)
        #expect(try span("inner").events.map(\.name) == ["demo.reached"])
        #expect(try span("inner").context.spanID == crash.spanID, "the crash's is the current one")
        #expect(try span("inner").context.traceID == crash.traceID)
        #expect(try span("inner").parentSpanID == span("outer").context.spanID)
        #expect(try span("outer").attributes["demo.card"]?.stringValue?.contains("4111") == false)
        let ended = app.spans.filter { ["ended", "short"].contains($0.span.name) }
        #expect(ended.count == 501)
        #expect(ended.allSatisfy { $0.span.attributes[AttributeKey.astrolabeSpanIsUnfinished] == nil })
    }

    @Test func `crashes and hangs are recorded after a shutdown and a second start`() throws {
        let app = try CrashingApp()
        try app.run("second-start")
        let events = try app.report()
        #expect(events.named(EventName.appCrash).map { $0.text("exception.type") } == ["SIGSEGV"])
        #expect(events.named(EventName.appCrash).map { $0.text("session.id") } == [app.note("session")])
        let hang = try events.hang(try #require(app.trueHangs.first))
        #expect(hang["astrolabe.hang.has_ended"]?.boolValue == true)
        let ends = events.named(EventName.runEnd).map { $0.text("astrolabe.run.end.reason") }
        #expect(Set(ends).isSuperset(of: ["clean", "crash"]), "\(ends)")
    }

    @Test func `a crash after the shutdown is left to the system`() throws {
        let app = try CrashingApp()
        let process = try app.run("crash-after-shutdown")
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(try app.report().named(EventName.appCrash) == [])
    }

    @Test func `a span that waits is not that of a crash in other work of the main thread's`() throws {
        let app = try CrashingApp()
        try app.run("beside-span")
        let crash = try #require(try app.report().named(EventName.appCrash).first)
        #expect(crash.text("exception.type") == "SIGSEGV")
        #expect(crash.traceID == .invalid)
        #expect(crash.spanID == .invalid)
    }

    @Test func `a handler that was there before is called after`() throws {
        let app = try CrashingApp()
        let process = try app.run("earlier-handler")
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 42)
        #expect(try app.report().named(EventName.appCrash).count == 1)
    }

    @Test func `the Swift runtime's handler still has its say`() throws {
        let app = try CrashingApp()
        let process = try app.run("fatal-error", environment: ["SWIFT_BACKTRACE": "enable=yes,output-to=/dev/null"])
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(try app.report().named(EventName.appCrash).count == 1)
    }
}
