import TelemetryModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A signal in words. The numbers of causes are those of Linux; on Apple's systems the few that differ are left out.
struct SignalDescription {
    let name: String
    /// Such as `SEGV_MAPERR`; nil where the cause has no name.
    let codeName: String?
    /// Whether the signal tells an address that was accessed.
    let hasAddress: Bool
    /// Whether the processor met an instruction that compilers put where a program must not go on: what a check of
    /// Swift's comes down to where it has no message.
    let isTrap: Bool

    init(signal: Int32, code: Int32) {
        let (name, codes) = Self.known[signal] ?? ("SIG\(signal)", [])
        self.name = name
        isTrap = code > 0 && signal == Self.trap
        hasAddress = code > 0 && code < 0x80 && (signal == SIGSEGV || signal == SIGBUS)
        codeName =
            code > 0 && Int(code) <= codes.count ? name.dropFirst(3) + "_" + codes[Int(code) - 1] : Self.sender(code)
    }

    #if arch(x86_64) || arch(i386)
    private static let trap = SIGILL
    #else
    private static let trap = SIGTRAP
    #endif

    /// The cause in words, where no message tells it.
    ///
    /// - Parameter address: What was accessed.
    func message(address: UInt64) -> String {
        let cause = codeName ?? name
        if isTrap { return "Trap, as of a Swift check without a message (\(name), \(cause))" }
        return hasAddress ? "\(cause) at \(AttributeValue.address(address).stringValue ?? "")" : cause
    }

    private static let known: [Int32: (String, [String])] = [
        SIGSEGV: ("SIGSEGV", ["MAPERR", "ACCERR", "BNDERR", "PKUERR"]),
        SIGBUS: ("SIGBUS", ["ADRALN", "ADRERR", "OBJERR"]),
        SIGILL: (
            "SIGILL", ["ILLOPC", "ILLOPN", "ILLADR", "ILLTRP", "PRVOPC", "PRVREG", "COPROC", "BADSTK"],
        ),
        SIGTRAP: ("SIGTRAP", ["BRKPT", "TRACE"]),
        SIGABRT: ("SIGABRT", []),
        SIGFPE: (
            "SIGFPE", ["INTDIV", "INTOVF", "FLTDIV", "FLTOVF", "FLTUND", "FLTRES", "FLTINV", "FLTSUB"],
        ),
        SIGSYS: ("SIGSYS", ["SECCOMP"]),
    ]

    /// Who sent a signal that the processor did not raise.
    private static func sender(_ code: Int32) -> String? {
        switch code {
        case 0: "SI_USER"
        case -1: "SI_QUEUE"
        case -6: "SI_TKILL"
        case 0x80: "SI_KERNEL"
        default: nil
        }
    }
}

/// The registers of a processor, by the names under which debuggers know them.
enum RegisterNames {
    #if os(Linux) && arch(x86_64)
    static let all = [
        "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp",
        "rip", "eflags", "csgsfs", "err", "trapno", "oldmask", "cr2",
    ]
    #elseif os(Linux) || os(Android)
    static let all = (0...30).map { "x\($0)" } + ["sp", "pc", "pstate"]
    #else
    static let all = (0...28).map { "x\($0)" } + ["fp", "lr", "sp", "pc", "cpsr"]
    #endif
}
