import AstrolabeTestSupport
import Foundation
import Testing

/// A crash of the fixture, and what the console must show.
struct RealCrash: Sendable {
    let name: String
    /// The crashed function of the app.
    let function: String
    /// The marker of the crash's place in the sources.
    let marker: String
    let title: String
    /// The text in the message of a debug build, and that of an optimized build, which omits most of the runtime's
    /// message.
    let message: (debug: String, release: String)

    private init(
        _ name: String, in function: String, at marker: String? = nil, title: String, message: String,
        inRelease: String? = nil,
    ) {
        self.name = name
        self.function = function
        self.marker = marker ?? name
        self.title = title
        self.message = (message, inRelease ?? message)
    }

    /// One of each way from a signal to a line of source by default; all of them in a thorough run.
    static var tested: [RealCrash] {
        let sample: Set<String> = [
            "null-dereference", "task", "two-threads", "inlined-in-c", "null-call", "abort", "fatal-error",
            "forced-unwrap", "inlined", "stack-overflow",
        ]
        return Thoroughness.isThorough ? all : all.filter { sample.contains($0.name) }
    }

    private static let all: [RealCrash] = [
        null("null-dereference"), null("thread"), null("task"), null("in-handler"), null("two-threads"),
        null("while-starting"),
        RealCrash("inlined-in-c", in: "turn", title: "Null pointer (SIGSEGV)", message: "SEGV_MAPERR at 0x18"),
        RealCrash("null-call", in: "crash_null_call", title: "Null pointer (SIGSEGV)", message: "SEGV_MAPERR at 0x0"),
        RealCrash("beyond-file", in: "crash_beyond_file", title: "SIGBUS: BUS_ADRERR", message: "BUS_ADRERR at 0x"),
        RealCrash(
            "bad-instruction", in: "crash_bad_instruction", title: "SIGILL: ILL_ILLOPN",
            message: "Trap without a message, such as a failed Swift check (SIGILL, ILL_ILLOPN)"),
        RealCrash("breakpoint", in: "crash_breakpoint", title: "SIGTRAP: SI_KERNEL", message: "SI_KERNEL"),
        RealCrash("division", in: "crash_division", title: "SIGFPE: FPE_INTDIV", message: "FPE_INTDIV"),
        RealCrash("forbidden-call", in: "crash_forbidden_call", title: "SIGSYS: SI_TKILL", message: "SI_TKILL"),
        RealCrash("abort", in: "crash_abort", title: "SIGABRT: SI_TKILL", message: "SI_TKILL"),
        swift("fatal-error", in: "stop()", message: "Fatal error: the telescope fell over"),
        swift(
            "precondition", in: "require(_:)", message: "Precondition failed: a lens is missing",
            failure: "precondition failure"),
        swift(
            "forced-unwrap", in: "unwrap(_:)",
            message: "Fatal error: Unexpectedly found nil while unwrapping an Optional value",
            failure: "Unexpectedly found nil while unwrapping an Optional value"),
        swift("index", in: "pick(_:_:)", message: "Fatal error: Index out of range", failure: "Index out of range"),
        swift(
            "overflow", in: "add(_:_:)", message: "Swift runtime failure: arithmetic overflow",
            failure: "arithmetic overflow"),
        swift(
            "division-by-zero", in: "divide(_:_:)", message: "Fatal error: Division by zero",
            failure: "Division by zero"),
        swift("inlined", in: "wipe(_:_:)", message: "Fatal error: Index out of range", failure: "Index out of range"),
        swift("forced-cast", in: "cast(_:)", message: "Could not cast value of type 'Swift.Int'"),
        swift("unowned", in: "look(_:)", message: "Fatal error: Attempted to read an unowned reference"),
        RealCrash("stack-overflow", in: "deepen(_:)", title: "Stack overflow (SIGSEGV)", message: "SEGV_"),
    ]

    private static func null(_ name: String) -> RealCrash {
        RealCrash(
            name, in: "crash_null_dereference", at: "null-dereference", title: "Null pointer (SIGSEGV)",
            message: "SEGV_MAPERR at 0x10")
    }

    private static func swift(
        _ name: String, in function: String, message: String, failure: String? = nil,
    ) -> RealCrash {
        RealCrash(
            name, in: "SwiftCrashes." + function, title: "", message: message,
            inRelease: failure.map { "Swift runtime failure: " + $0 })
    }
}

/// The places in the fixture's sources where it crashes, found by markers in comments.
struct SourceMarkers: Sendable {
    struct Place: Hashable, Sendable {
        let file: String
        let line: Int
    }

    private let places: [String: Place]

    init() throws {
        let sources = Repository.file("Lab/Sources")
        var places: [String: Place] = [:]
        for file in ["CCrashes/CCrashes.c", "HealthFixture/SwiftCrashes.swift"] {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                guard let mark = line.range(of: " here: ") else { continue }
                let verb = line[..<mark.lowerBound].split(separator: " ").last ?? ""
                places["\(verb) \(line[mark.upperBound...])"] = Place(file: file, line: index + 1)
            }
        }
        self.places = places
    }

    /// - Parameter verb: Such as `crashes`.
    func place(_ name: String, verb: String = "crashes") throws -> Place {
        try #require(places["\(verb) \(name)"], "no line says that it \(verb) here: \(name)")
    }
}
