/// Signed and unsigned documents that a phone is offered.
enum PolicyOffers {
    struct Case {
        var text: String
        var spaces = 0
        /// The signature has this byte again and again.
        var byte: UInt8 = 1
        /// Bytes of the signature.
        var size = 64
        var current: String?
        var now: Int64 = 0
        /// A place in the section `bounds`.
        var bounds = 0
    }

    static var all: [Case] {
        let limited = requests.flatMap { rest in (0..<3).map { Case(text: document(rest), bounds: $0) } }
        return signatures + versions + limited
    }

    private static func document(version: Int = 2, _ rest: String = "") -> String {
        RemotePolicyVectors.document(version: version, rest)
    }

    private static var signatures: [Case] {
        [
            Case(text: document()), Case(text: document(), size: 0), Case(text: document(), size: 63),
            Case(text: document(), byte: 2), Case(text: "{", byte: 2), Case(text: "{"), Case(text: "{}"),
            Case(text: #"{"a": 1, "b": 2, "c": 3}"#), Case(text: document(), spaces: 65_536),
            Case(text: document(), spaces: 65_536, size: 0),
        ]
    }

    private static var versions: [Case] {
        [
            Case(text: document(version: 3), current: document()), Case(text: document(), current: document()),
            Case(text: document(version: 1), current: document()),
            Case(text: document(), spaces: 1, current: document()), Case(text: document(), now: 1_798_675_199),
            Case(text: document(), now: 1_798_675_200), Case(text: document().replacing("shop", with: "mail")),
        ]
    }

    /// The text after the required keys of documents that ask for less or more than bounds allow.
    private static let requests = [
        #""rates": {"full": 0.1, "normal": 0.1}, "flushIntervals": {"full": 60, "normal": 60}, "admission": "strict""#,
        #""rates": {"normal": 0.2, "minimal": 0.00005}, "admission": "standard""#,
        #""flushIntervals": {"full": 1, "minimal": 119.5}"#,
        #""triggers": {"dailyBytes": 2001, "limitPerHour": 21}"#,
        #""requests": [{"id": "a", "kind": "promote", "installation": "i"}]"#,
        #""requests": [{"id": "a", "kind": "record", "installation": "i", "seconds": 60}]"#,
    ]
}
