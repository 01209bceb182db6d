import AstrolabeTelemetryModel

/// A description of a signal.
struct SignalDescription {
    let name: String
    /// The name of the cause, such as `SEGV_MAPERR`; `nil` if the cause has no name.
    let codeName: String?
    /// True if the signal reports an accessed address.
    let hasAddress: Bool
    /// True if the CPU executed a trap instruction, which compilers emit where execution must not continue. A failed
    /// Swift check without a message ends in one.
    let isTrap: Bool

    init(signal: Int32, code: Int32, table: SignalTable = .current) {
        let known =
            table.signals[signal] ?? SignalTable.Signal(name: SignalTable.endings[signal] ?? "SIG\(signal)")
        name = known.name
        isTrap = table.isTrap(signal, code)
        hasAddress = code > 0 && code < 0x80 && known.isAccess
        let isCause = code > 0 && Int(code) <= known.causes.count
        codeName = isCause ? name.dropFirst(3) + "_" + known.causes[Int(code) - 1] : table.senders[code]
    }

    /// Returns a description of the cause, for crashes without a message.
    ///
    /// - Parameter address: The accessed address.
    func message(address: UInt64) -> String {
        let cause = codeName ?? name
        if isTrap { return "Trap without a message, such as a failed Swift check (\(name), \(cause))" }
        return hasAddress ? "\(cause) at \(AttributeValue.address(address).stringValue ?? "")" : cause
    }
}

/// The registers of a CPU, by the names that debuggers use.
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
