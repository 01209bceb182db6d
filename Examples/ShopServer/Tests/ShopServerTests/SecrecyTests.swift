import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import ShopAPI
import Testing
import Tracing

@testable import ShopServer

@Suite struct SecrecyTests {
    /// Checkouts leave no trace of the buyer in files, log lines, spans or errors, whatever happens to them. The
    /// exception is the last four digits in the message of an expired card.
    @Test func `card, code, e-mail and postal address leave no trace`() async throws {
        let log = InMemoryLogHandler()
        let tracer = InMemoryTracer()
        var secrets = [
            "4432801561520454", "4432-8015-6152-0454", "4432-8015-6152-0455", "5152 0454", "378282246310005",
            "canary.mailbox", "Canary Lane 7719", "Canaryville", "94043-7719", "7719",
        ]
        let address = Address(
            streetAddress: "Canary Lane 7719", city: "Canaryville", state: "CA", country: "United States",
            zipCode: "94043-7719",
        )
        @Sendable func checkout(_ card: CreditCard, currency: String = "USD") -> ShopRoute {
            .checkout(
                Sample.checkout(
                    currency: currency, address: address, email: "canary.mailbox@example.com", card: card,
                ))
        }
        let answers = Collected()
        try await withTemporaryFolder { folder in
            try await withTracer(tracer) {
                try await withShop(.socket) { configuration in
                    configuration.databasePath = folder.appendingPathComponent("shop.sqlite").path
                    configuration.logger = Logger(label: "shop") { _ in log }
                    configuration.logger.logLevel = .trace
                } _: { shop in
                    try await shop.add(Sample.flashlight, 2)
                    let cards = [
                        Sample.card(cvv: 7719), Sample.card("4432-8015-6152-0455", cvv: 7719),
                        Sample.card("378282246310005", cvv: 7719), Sample.card(cvv: 7719, month: 13),
                        Sample.card(cvv: 7719, year: 2020),
                    ]
                    for card in cards.reversed() {
                        await answers.add(try await shop.send(checkout(card)).text)
                    }
                    try await shop.add(Sample.flashlight)
                    await answers.add(try await shop.send(checkout(cards[0], currency: "4432801561520454")).text)
                    for fault in ["paymentFailure=100", "paymentUnreachable=on", "cartFailure=100"] {
                        await shop.backend.faults.set(FaultFlags())
                        await shop.backend.faults.apply(try FaultFlagChange([fault]))
                        await answers.add(try await shop.send(checkout(cards[0])).text)
                    }
                    let request = try checkout(cards[0]).request()
                    let body = String(decoding: try #require(request.body), as: UTF8.self)
                    for broken in [
                        body.replacing("7719,", with: "99999999999999999997719,"), String(body.dropLast()),
                        body.replacing("\"4432-8015-6152-0454\"", with: "4432801561520454"), "[\(body)]",
                    ] {
                        let answer = try await shop.send("POST", "/api/checkout", body: broken)
                        #expect(answer.status == 400)
                        await answers.add(answer.text)
                    }
                    let items = [CartItem(productId: Sample.flashlight, quantity: 1)]
                    #expect(try await shop.send(.shipping(items: items, address: address)).status == 200)
                }
            }
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            var isWritten = false
            for file in files {
                // SQLite removes files beside the database when its last connection closes, which may be now.
                guard let bytes = try? Data(contentsOf: file) else {
                    #expect(!FileManager.default.fileExists(atPath: file.path), "\(file.lastPathComponent)")
                    continue
                }
                for secret in secrets {
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) is in \(file.lastPathComponent)")
                }
                if bytes.range(of: Data(Sample.flashlight.utf8)) != nil { isWritten = true }
            }
            // In the database or in its log: SQLite copies from one to the other when the last connection is closed.
            #expect(isWritten, "the files are not what was written")
        }
        let texts = await answers.texts
        #expect(texts.contains { $0.contains("ending 0454") })
        #expect(texts.count { $0.contains("\"error\"") } == texts.count - 1)
        for text in texts where text.contains("\"error\"") {
            for secret in secrets { #expect(!text.contains(secret), "\(secret) is in \(text)") }
        }
        secrets.append("0454")
        #expect(log.entries.count > 20)
        for entry in log.entries {
            let line = "\(entry.message) \(entry.metadata) \(entry.error.map { "\($0)" } ?? "")"
            for secret in secrets { #expect(!line.contains(secret), "\(secret) is in the log: \(line)") }
        }
        let spans = tracer.takeSpans()
        #expect(spans.count > 50)
        for span in spans {
            let text = "\(span.name) \(span.errors) \(span.attributes)"
            for secret in secrets { #expect(!text.contains(secret), "\(secret) is on a span: \(text)") }
        }
    }
}

private actor Collected {
    private(set) var texts: [String] = []

    func add(_ text: String) {
        texts.append(text)
    }
}
