import AstrolabeTelemetryModel

/// A signal in words.
struct SignalDescription {
    let name: String
    /// Such as `SEGV_MAPERR`; nil where the cause has no name.
    let codeName: String?
    /// Whether the signal tells an address that was accessed.
    let hasAddress: Bool
    /// Whether the processor met an instruction that compilers put where a program must not go on: what a check of
    /// Swift's comes down to where it has no message.
    let isTrap: Bool

    init(signal: Int32, code: Int32, table: SignalTable = .current) {
        let known = table.signals[signal] ?? SignalTable.Signal(name: "SIG\(signal)")
        name = known.name
        isTrap = table.isTrap(signal, code)
        hasAddress = code > 0 && code < 0x80 && known.isAccess
        let isCause = code > 0 && Int(code) <= known.causes.count
        codeName = isCause ? name.dropFirst(3) + "_" + known.causes[Int(code) - 1] : table.senders[code]
    }

    /// The cause in words, where no message tells it.
    ///
    /// - Parameter address: What was accessed.
    func message(address: UInt64) -> String {
        let cause = codeName ?? name
        if isTrap { return "Trap, as of a Swift check without a message (\(name), \(cause))" }
        return hasAddress ? "\(cause) at \(AttributeValue.address(address).stringValue ?? "")" : cause
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
