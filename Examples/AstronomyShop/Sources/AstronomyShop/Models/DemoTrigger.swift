import Astrolabe
import SwiftUI

/// A demonstration of a problem, which the app causes in itself after the user has confirmed.
enum DemoTrigger: String, Identifiable, Hashable, Sendable, CaseIterable {
    /// Ends the process with a trap.
    case crash
    /// Blocks the main thread for 10 s.
    case hang
    /// Sends a simulated metrics payload.
    case metricsPayload = "metrics_payload"
    /// Computes on the main thread for 3.5 s.
    case cpuBurn = "cpu_burn"
    /// Shows an animation of 10 s whose frames are slow.
    case slowAnimation = "slow_animation"

    var id: String { rawValue }

    /// Returns the demonstration that adding a product to the cart triggers, if any.
    ///
    /// - Parameters:
    ///   - quantity: The pieces that were added. They decide if the cart has more than ten, as after an earlier
    ///     demonstration.
    ///   - quantityInCart: The quantity of the product in the cart after the addition.
    static func whenAdding(productID: String, quantity: Int, quantityInCart: Int) -> DemoTrigger? {
        switch (productID, quantityInCart > 10 ? quantity : quantityInCart) {
        case (explorascope, 10): .crash
        case (explorascope, 9): .hang
        case (explorascope, 8): .metricsPayload
        case (opticalTube, _): .cpuBurn
        case (cometBook, _): .slowAnimation
        default: nil
        }
    }

    /// National Park Foundation Explorascope.
    static let explorascope = "OLJCESPC7Z"
    /// Optical Tube Assembly.
    static let opticalTube = "9SIQT8TOJO"
    /// The Comet Book.
    static let cometBook = "HQTGWGPNH4"

    /// The duration; `nil` if it has none.
    var duration: Duration? {
        switch self {
        case .hang, .slowAnimation: .seconds(10)
        case .cpuBurn: .milliseconds(3_500)
        case .crash, .metricsPayload: nil
        }
    }

    /// The user's action that triggers it, for telemetry.
    var cause: String {
        switch self {
        case .crash: "10_explorascopes_in_cart"
        case .hang: "9_explorascopes_in_cart"
        case .metricsPayload: "8_explorascopes_in_cart"
        case .cpuBurn: "optical_tube_assembly_added"
        case .slowAnimation: "comet_book_added"
        }
    }

    /// The kind of demonstration, for telemetry.
    var demoType: String {
        switch self {
        case .crash: "intentional_crash"
        case .hang: "intentional_hang"
        case .metricsPayload: "simulated_payload"
        case .cpuBurn: "intentional_load"
        case .slowAnimation: "slow_animation"
        }
    }

    /// Describes it on its event and its span.
    var attributes: Attributes {
        var attributes: Attributes = [
            "demo.trigger": AttributeValue(rawValue), "demo.trigger.cause": AttributeValue(cause),
            "demo.type": AttributeValue(demoType),
        ]
        if let duration { attributes["demo.trigger.duration"] = .double(duration / .seconds(1)) }
        if self == .slowAnimation {
            attributes["demo.component"] = "SlowCometAnimation"
            attributes["demo.animation.type"] = "linear_offset"
            attributes["demo.expected_impact"] = "high"
        }
        return attributes
    }

    /// The name of the event that is recorded before it starts: "demo.crash_triggered".
    var eventName: String { "demo.\(rawValue)_triggered" }

    /// The question that asks for confirmation.
    var question: String {
        switch self {
        case .crash: String(localized: "Ten Explorascopes: this will crash the app.")
        case .hang: String(localized: "Nine Explorascopes: this will freeze the app for 10 seconds.")
        case .metricsPayload: String(localized: "Eight Explorascopes: this will send a made-up metrics payload.")
        case .cpuBurn:
            String(localized: "The Optical Tube Assembly: this will keep the processor busy for 3.5 seconds.")
        case .slowAnimation: String(localized: "The Comet Book: this will show a slow animation for 10 seconds.")
        }
    }

    /// The name of the button that confirms, in telemetry, and the key of its title.
    var confirmation: String {
        switch self {
        case .crash: "Crash the App"
        case .hang: "Freeze the App"
        case .metricsPayload: "Send the Payload"
        case .cpuBurn: "Keep It Busy"
        case .slowAnimation: "Show the Comet"
        }
    }
}
