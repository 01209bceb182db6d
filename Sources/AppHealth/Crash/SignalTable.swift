/// The meaning of signal numbers and causes on one system and CPU.
///
/// All tables exist on every system, so that one system can test them all.
struct SignalTable: Sendable {
    struct Signal: Sendable {
        var name: String
        /// The names of the causes 1, 2, 3….
        var causes: [String] = []
        /// True if the CPU raises it for an inaccessible address.
        var isAccess = false
    }

    enum Processor: Sendable {
        case arm64
        case x86
    }

    let signals: [Int32: Signal]
    /// Signals that end a process and are no crash. POSIX numbers most of them, and the rest are the same everywhere.
    static let endings: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU",
    ]
    /// Causes that state the sender of a signal that the CPU did not raise.
    let senders: [Int32: String]
    /// Returns true if the CPU executed a trap instruction, which compilers emit where execution must not continue.
    let isTrap: @Sendable (_ signal: Int32, _ cause: Int32) -> Bool

    /// The table of Linux, from the kernel's `siginfo.h`.
    static func linux(on processor: Processor) -> SignalTable {
        SignalTable(
            signals: [
                4: Signal(
                    name: "SIGILL",
                    causes: ["ILLOPC", "ILLOPN", "ILLADR", "ILLTRP", "PRVOPC", "PRVREG", "COPROC", "BADSTK"],
                ),
                5: Signal(name: "SIGTRAP", causes: ["BRKPT", "TRACE"]),
                6: Signal(name: "SIGABRT"),
                7: Signal(name: "SIGBUS", causes: ["ADRALN", "ADRERR", "OBJERR"], isAccess: true),
                8: Signal(
                    name: "SIGFPE",
                    causes: ["INTDIV", "INTOVF", "FLTDIV", "FLTOVF", "FLTUND", "FLTRES", "FLTINV", "FLTSUB"],
                ),
                11: Signal(name: "SIGSEGV", causes: ["MAPERR", "ACCERR", "BNDERR", "PKUERR"], isAccess: true),
                31: Signal(name: "SIGSYS", causes: ["SECCOMP"]),
            ],
            senders: [0: "SI_USER", -1: "SI_QUEUE", -6: "SI_TKILL", 0x80: "SI_KERNEL"],
            isTrap: { signal, cause in cause > 0 && signal == (processor == .arm64 ? 5 : 4) },
        )
    }

    /// The table of Apple's systems, from XNU's `bsd/sys/signal.h` and `bsd/dev/arm/unix_signal.c`.
    static func darwin(on processor: Processor) -> SignalTable {
        SignalTable(
            signals: [
                4: Signal(
                    name: "SIGILL",
                    causes: ["ILLOPC", "ILLTRP", "PRVOPC", "ILLOPN", "ILLADR", "PRVREG", "COPROC", "BADSTK"],
                ),
                5: Signal(name: "SIGTRAP", causes: ["BRKPT", "TRACE"]),
                6: Signal(name: "SIGABRT"),
                8: Signal(
                    name: "SIGFPE",
                    causes: ["FLTDIV", "FLTOVF", "FLTUND", "FLTRES", "FLTINV", "FLTSUB", "INTDIV", "INTOVF"],
                ),
                10: Signal(name: "SIGBUS", causes: ["ADRALN", "ADRERR", "OBJERR"], isAccess: true),
                11: Signal(name: "SIGSEGV", causes: ["MAPERR", "ACCERR"], isAccess: true),
                12: Signal(name: "SIGSYS"),
            ],
            senders: [0x10001: "SI_USER", 0x10002: "SI_QUEUE"],
            // On arm64 the kernel reports no cause of a trap, so only a sent signal can be excluded.
            isTrap: { signal, cause in
                processor == .arm64 ? signal == 5 && cause != 0x10001 : signal == 4 && cause > 0
            },
        )
    }

    #if arch(x86_64) || arch(i386)
    private static let processor = Processor.x86
    #else
    private static let processor = Processor.arm64
    #endif

    #if canImport(Darwin)
    static let current = darwin(on: processor)
    #else
    static let current = linux(on: processor)
    #endif
}
