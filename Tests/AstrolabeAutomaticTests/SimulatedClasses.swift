/// Classes whose methods can be exchanged at run time, as those of Objective-C.
///
/// With them, tests repeat what `ObjectiveCExchange` does on Apple platforms, and what other libraries do there.
@MainActor
final class SimulatedClass {
    typealias Implementation = @MainActor (_ object: SimulatedObject, _ selector: String) -> Void

    let name: String
    let superclass: SimulatedClass?
    /// The methods that the class itself implements.
    var methods: [String: Implementation] = [:]

    init(_ name: String, _ superclass: SimulatedClass? = nil) {
        self.name = name
        self.superclass = superclass
    }

    func implementation(_ selector: String) -> Implementation? {
        methods[selector] ?? superclass?.implementation(selector)
    }

    /// Exchanges the implementations of two selectors in this class and its subclasses, as most libraries do.
    func exchange(_ one: String, with other: String) {
        let (first, second) = (implementation(one), implementation(other))
        methods[one] = second
        methods[other] = first
    }
}

@MainActor
final class SimulatedObject {
    let type: SimulatedClass

    init(_ type: SimulatedClass) { self.type = type }

    func send(_ selector: String) { type.implementation(selector)?(self, selector) }

    /// The message to `super`, from a method of `type`.
    func sendSuper(_ selector: String, from type: SimulatedClass) {
        type.superclass?.implementation(selector)?(self, selector)
    }
}
