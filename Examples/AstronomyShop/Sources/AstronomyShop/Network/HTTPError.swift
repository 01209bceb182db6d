import AstrolabeHTTP
import Foundation
import ShopAPI
import SwiftUI

/// An error of a request to the shop.
///
/// `errorDescription` is for developers and telemetry: "HTTP 504 Gateway Timeout - Response: {...}". `userMessage` is
/// for the screen. Neither holds a value of ``SensitiveValues``.
struct HTTPError: Error, Hashable {
    enum Reason: Hashable {
        /// A response with a status other than 2xx, with its body if it may be kept.
        case status(Int, body: String)
        case transport(TransportFailure)
        /// A 2xx response with an unexpected body. `field` is the coding path, such as "[3].priceUsd.units".
        case undecodable(field: String, problem: String)
        /// The request has no URL below the shop's address.
        case invalidURL
    }

    /// Method and template: "GET /api/products/{id}".
    let route: String
    let reason: Reason

    init(route: String, reason: Reason) {
        self.route = route
        self.reason = reason
    }

    init(route: String, _ error: HTTPRequestError, sensitive: SensitiveValues) {
        self.route = route
        reason =
            switch error.reason {
            case .answer(let answer): .status(answer.status, body: answer.excerpt { sensitive.scrubbed($0) })
            case .transport(let failure): .transport(failure)
            }
    }

    var status: Int? {
        if case .status(let status, _) = reason { status } else { nil }
    }

    /// True if the server may have placed an order although there was no usable response.
    var leavesOutcomeOpen: Bool {
        switch reason {
        case .transport(.timedOut), .transport(.connectionLost), .transport(.other), .transport(.responseTooLarge),
            .undecodable, .status(502, _), .status(504, _):
            true
        case .status, .transport, .invalidURL: false
        }
    }

    /// The shop's error message, if the response has one.
    var shopMessage: String? {
        guard case .status(_, let body) = reason else { return nil }
        return (try? ShopJSON.decode(ShopErrorBody.self, from: Data(body.utf8)))?.error
    }
}

extension HTTPError: LocalizedError, CustomStringConvertible {
    var errorDescription: String? { description }

    var description: String {
        switch reason {
        case .status(let status, let body):
            "HTTP \(status) \(HTTPStatus.reasonPhrase(status)) - Response: \(body)"
        case .transport(let failure):
            "\(route) failed: \(failure.summary)"
        case .undecodable(let field, let problem):
            "unexpected response to \(route): \(field) \(problem)"
        case .invalidURL:
            "\(route) has no URL under the shop's address; give a base such as http://127.0.0.1:8080"
        }
    }
}

extension HTTPError: TelemetryTyped {
    var errorType: String {
        switch reason {
        case .status(let status, _): String(status)
        case .transport(let failure): failure.rawValue
        case .undecodable: "undecodable_answer"
        case .invalidURL: "invalid_url"
        }
    }
}

extension HTTPError: UserFacing {
    var userMessage: String {
        switch reason {
        case .status(let status, _): Self.message(forStatus: status)
        case .transport(.offline): String(localized: "You seem to be offline. Check your connection and try again.")
        case .transport(.timedOut): String(localized: "The shop did not respond in time. Please try again.")
        case .transport(.connectionLost): String(localized: "The connection was lost. Please try again.")
        case .transport(.notSecure): String(localized: "The app could not connect securely to the shop.")
        case .transport(.nameNotResolved), .transport(.connectionRefused), .transport(.other), .invalidURL:
            String(localized: "The shop cannot be reached right now. Please try again in a moment.")
        case .transport(.responseTooLarge), .undecodable:
            String(localized: "The shop sent something this app does not understand. An update of the app may help.")
        }
    }

    private static func message(forStatus status: Int) -> String {
        switch status {
        case 404, 410: String(localized: "This is no longer in the shop.")
        case 408, 425, 429: String(localized: "The shop is very busy. Please try again in a moment.")
        case 400...499: String(localized: "The shop did not accept this. Please check what you entered and try again.")
        default: String(localized: "The shop is having trouble right now. Please try again in a moment.")
        }
    }
}
