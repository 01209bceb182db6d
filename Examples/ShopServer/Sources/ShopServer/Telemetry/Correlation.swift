import AstrolabeSemantics
import HTTPTypes
import ShopAPI

/// The link between a request and a phone: ids that were sent along, each checked before it reaches a log or a span.
struct Correlation: Sendable, Hashable {
    var sessionId: String?
    /// The installation of the app that sends the request; `X-Device-Id` carries it, and no id of the hardware.
    var installationId: String?
    var appVersion: String?
    var requestId: String?

    /// Traffic of a load generator, whose orders are not charged.
    var isSynthetic = false

    init() {}

    init(headers: HTTPFields) {
        let baggage = BaggageHeader(header: Self.combined(ShopHeader.baggage, in: headers))
        sessionId =
            Self.accepted(baggage[ShopBaggage.sessionId])
            ?? Self.accepted(Self.combined(ShopHeader.sessionId, in: headers))
        installationId = Self.accepted(Self.combined(ShopHeader.deviceId, in: headers))
        appVersion = Self.accepted(Self.combined(ShopHeader.appVersion, in: headers))
        requestId = Self.accepted(Self.combined(ShopHeader.requestId, in: headers))
        isSynthetic = baggage[ShopBaggage.syntheticRequest] == "true"
    }

    /// Names and values of what is present, under the names that logs and spans share.
    var attributes: [(name: String, value: String)] {
        [
            (AttributeKey.sessionID, sessionId), (AttributeKey.appInstallationID, installationId),
            (DemoAttribute.appVersion, appVersion), (DemoAttribute.requestId, requestId),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The text if it is 1 to 128 letters, digits and `-_.:+`, and so neither breaks a log line nor swells it.
    static func accepted(_ text: String?) -> String? {
        guard let text, (1...128).contains(text.utf8.count), text.utf8.allSatisfy(isAccepted) else { return nil }
        return text
    }

    private static func isAccepted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private static func combined(_ name: String, in headers: HTTPFields) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }
}
