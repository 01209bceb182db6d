import Testing

@testable import AstrolabeWire

@Suite("The response to an export request")
struct ExportResponseTests {
    @Test("says how many records were rejected, and why")
    func partialSuccess() {
        let rejection = ExportResponse.rejection(in: response(rejected: 3, "too old"))
        #expect(rejection.count == 3)
        #expect(rejection.reason == "too old")
    }

    @Test("is a full success if it is empty, cut short or not OTLP")
    func other() {
        let whole = response(rejected: 3, "too old")
        for body in [[], Array(whole.dropLast()), Array("<html>".utf8), [0x0B, 0x0C]] {
            #expect(ExportResponse.rejection(in: body) == (0, ""))
        }
    }

    @Test("keeps no more than 1,024 bytes of the reason")
    func longReason() {
        let reason = String(repeating: "a", count: 5_000)
        #expect(ExportResponse.rejection(in: response(rejected: 1, reason)).reason.utf8.count == 1_024)
    }

    private func response(rejected: UInt64, _ reason: String) -> [UInt8] {
        var partial = WireMessage()
        partial.varint(PartialSuccessField.rejectedRecords, rejected)
        partial.text(PartialSuccessField.errorMessage, reason)
        var response = WireMessage()
        response.bytes(ExportResponseField.partialSuccess, partial.bytes)
        return response.bytes
    }
}
