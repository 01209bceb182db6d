import AstrolabePlatform
import AstrolabePolicy

extension DeliveryService {
    /// Sends a request with the app's headers; once more with new ones if the server refuses them.
    ///
    /// Does not run on the actor, which prepares the next request meanwhile.
    nonisolated func exchange(_ request: OTLPRequest, hasAppHeaders: Bool) async -> RequestExchange {
        var exchange = RequestExchange()
        guard hasAppHeaders, let headers = settings.requestHeaders else {
            await attempt(request, &exchange)
            return exchange
        }
        for wereRefused in [false, true] {
            let seconds = request.timeout.seconds
            // A result that comes with a cancellation would be of no use.
            switch await call(within: seconds, grace: 0).result(of: { await headers(wereRefused) }) {
            case .returned(let added): await attempt(request.adding(added), &exchange)
            case .hangs:
                exchange.end(
                    hanging: "TelemetryConfiguration.requestHeaders did not return within \(Self.text(seconds))")
                return exchange
            case .cancelled:
                exchange.result = .unreachable("cancelled")
                return exchange
            }
            guard case .response(401, _, _) = exchange.result else { return exchange }
        }
        return exchange
    }

    /// Sends a request without records by the same transport, and counts it.
    ///
    /// - Returns: `nil` if nothing may be sent now: no consent, no path, a path that the policy does not allow, or the
    ///   end of delivery.
    package func post(_ request: OTLPRequest) async -> SendResult? {
        applyPlan()
        let upload = schedule.plan.upload
        guard !schedule.isHeld, !isEnding, !isShutDown, mayBegin,
            [.sendNow, .batch].contains(upload.action(for: .normal))
        else { return nil }
        var limited = request
        limited.allowsExpensivePath = upload.allowsExpensivePath
        limited.allowsConstrainedPath = upload.allowsConstrainedPath
        let exchange = await exchange(limited, hasAppHeaders: false)
        sent.requests += exchange.requests
        sent.bytesSent += exchange.requests * request.body.count
        return exchange.result
    }

    private nonisolated func attempt(_ request: OTLPRequest, _ exchange: inout RequestExchange) async {
        guard mayBegin else {
            exchange.result = .unreachable("delivery has ended")
            return
        }
        exchange.requests += 1
        let seconds = request.timeout.seconds + Self.transportMargin
        switch await call(within: seconds).result(of: { [transport] in await transport.send(request) }) {
        case .returned(let result): exchange.result = result
        case .hangs:
            exchange.end(
                hanging: "\(type(of: transport)) did not return within \(Self.text(seconds)), which is longer than the "
                    + "request's timeout")
        case .cancelled: exchange.result = .unreachable("cancelled")
        }
    }

    /// Seconds that a transport may take longer than the request's timeout.
    private static let transportMargin = 5.0
}

/// The result of a request and, if the server refused the app's headers, of the second one.
struct RequestExchange: Sendable {
    var result = SendResult.unreachable("not sent")
    var requests = 0
    /// The function of the app that did not return, as a sentence.
    var hang: String?

    mutating func end(hanging reason: String) {
        result = .unreachable(reason)
        hang = reason
    }
}

extension OTLPRequest {
    /// Headers that the exporter sets itself.
    static let ownHeaders: Set = ["content-type", "content-encoding"]

    /// Adds headers, which replace those of the same name.
    fileprivate func adding(_ added: [String: String]) -> OTLPRequest {
        var request = self
        for (name, value) in added where !Self.ownHeaders.contains(name.lowercased()) {
            request.headers.setHeader(name, to: value)
        }
        return request
    }
}
