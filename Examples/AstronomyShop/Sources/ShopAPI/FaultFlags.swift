/// Faults the backend commits on purpose, under the names of the OpenTelemetry demo. All are off at first.
public struct FaultFlags: Codable, Hashable, Sendable {
    /// Advertisements are unavailable.
    public var adFailure = false

    /// Percent of requests to the cart that fail, checkouts among them, before anything changed.
    public var cartFailure = 0

    /// Percent of charges that fail.
    public var paymentFailure = 0

    /// Every charge fails, as if the payment service could not be reached.
    public var paymentUnreachable = false

    /// Looking up the National Park Foundation Explorascope (`OLJCESPC7Z`) fails: its page, and carts and checkouts
    /// that hold it.
    public var productCatalogFailure = false

    /// The recommendations' cached list of products grows by its own quarter on every second request.
    public var recommendationCacheFailure = false

    /// Milliseconds a picture waits before it is sent, up to 60,000.
    public var imageSlowLoad = 0

    /// Seconds a shipping quote to an address outside the United States waits, up to 60.
    public var intlShippingSlowdown = 0

    public init() {}
}

extension FaultFlags {
    /// A flag by its name on the wire.
    public enum Name: String, Codable, Hashable, Sendable, CaseIterable {
        case adFailure, cartFailure, paymentFailure, paymentUnreachable, productCatalogFailure
        case recommendationCacheFailure, imageSlowLoad, intlShippingSlowdown

        /// The numbers a flag may be set to, or nil if it is on or off.
        public var range: ClosedRange<Int>? {
            switch self {
            case .cartFailure, .paymentFailure: 0...100
            case .imageSlowLoad: 0...60_000
            case .intlShippingSlowdown: 0...60
            case .adFailure, .paymentUnreachable, .productCatalogFailure, .recommendationCacheFailure: nil
            }
        }
    }

    /// The value of a flag.
    public enum Value: Hashable, Sendable {
        case toggle(Bool)
        case number(Int)
    }

    public subscript(name: Name) -> Value {
        switch name {
        case .adFailure: .toggle(adFailure)
        case .cartFailure: .number(cartFailure)
        case .paymentFailure: .number(paymentFailure)
        case .paymentUnreachable: .toggle(paymentUnreachable)
        case .productCatalogFailure: .toggle(productCatalogFailure)
        case .recommendationCacheFailure: .toggle(recommendationCacheFailure)
        case .imageSlowLoad: .number(imageSlowLoad)
        case .intlShippingSlowdown: .number(intlShippingSlowdown)
        }
    }

    /// Sets the flags a change names and leaves the others.
    public mutating func apply(_ change: FaultFlagChange) {
        for (name, value) in change.values {
            switch (name, value) {
            case (.adFailure, .toggle(let isOn)): adFailure = isOn
            case (.cartFailure, .number(let percent)): cartFailure = percent
            case (.paymentFailure, .number(let percent)): paymentFailure = percent
            case (.paymentUnreachable, .toggle(let isOn)): paymentUnreachable = isOn
            case (.productCatalogFailure, .toggle(let isOn)): productCatalogFailure = isOn
            case (.recommendationCacheFailure, .toggle(let isOn)): recommendationCacheFailure = isOn
            case (.imageSlowLoad, .number(let milliseconds)): imageSlowLoad = milliseconds
            case (.intlShippingSlowdown, .number(let seconds)): intlShippingSlowdown = seconds
            default: break  // a change holds only values of the flag's kind
            }
        }
    }
}
