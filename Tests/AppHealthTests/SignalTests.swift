import Testing

@testable import AstrolabeAppHealth

/// The names of signals on all platforms.
@Suite struct SignalTests {
    private func describe(_ signal: Int32, _ code: Int32, _ table: SignalTable) -> SignalDescription {
        SignalDescription(signal: signal, code: code, table: table)
    }

    @Test func `each system numbers the causes in its own order`() {
        let linux = SignalTable.linux(on: .arm64)
        let darwin = SignalTable.darwin(on: .arm64)
        #expect(
            (1...8).map { describe(4, $0, linux).codeName }.prefix(4) == [
                "ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP",
            ])
        #expect(
            (1...8).map { describe(4, $0, darwin).codeName }.prefix(4) == [
                "ILL_ILLOPC", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_ILLOPN",
            ])
        #expect(describe(8, 1, linux).codeName == "FPE_INTDIV")
        #expect(describe(8, 7, darwin).codeName == "FPE_INTDIV")
        #expect(describe(7, 2, linux).codeName == "BUS_ADRERR")
        #expect(describe(10, 2, darwin).codeName == "BUS_ADRERR")
        #expect(describe(11, 1, darwin).codeName == "SEGV_MAPERR")
        #expect(describe(12, 0, darwin).name == "SIGSYS")
        #expect(describe(31, 1, linux).codeName == "SYS_SECCOMP")
        #expect(describe(10, 2, darwin).hasAddress && describe(7, 2, linux).hasAddress)
        #expect(!describe(10, 2, linux).hasAddress && !describe(4, 1, darwin).hasAddress)
    }

    @Test func `a signal that was sent has a sender and no cause`() {
        #expect(describe(6, -6, .linux(on: .x86)).codeName == "SI_TKILL")
        #expect(describe(11, 0, .linux(on: .x86)).codeName == "SI_USER")
        #expect(describe(6, 0x10001, .darwin(on: .arm64)).codeName == "SI_USER")
        #expect(describe(6, 0, .darwin(on: .arm64)).codeName == nil)
        #expect(!describe(11, 0x10001, .darwin(on: .arm64)).hasAddress)
    }

    @Test func `a trap is recognized on each system`() {
        // XNU reports no cause of a trap on arm64.
        #expect(describe(5, 0, .darwin(on: .arm64)).isTrap)
        #expect(!describe(5, 0x10001, .darwin(on: .arm64)).isTrap)
        #expect(describe(4, 1, .darwin(on: .x86)).isTrap)
        #expect(describe(5, 1, .linux(on: .arm64)).isTrap)
        #expect(!describe(5, 0, .linux(on: .arm64)).isTrap)
        #expect(describe(4, 2, .linux(on: .x86)).isTrap)
        #expect(!describe(5, 1, .linux(on: .x86)).isTrap)
        let trap = describe(5, 0, .darwin(on: .arm64)).message(address: 0)
        #expect(trap == "Trap without a message, such as a failed Swift check (SIGTRAP, SIGTRAP)")
    }
}
