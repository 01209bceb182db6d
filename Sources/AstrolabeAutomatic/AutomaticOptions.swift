/// The parts of an app that ``AutomaticInstrumentation`` records.
public struct AutomaticOptions: Hashable, Sendable {
    /// The kill switch. If it is false, `start` exchanges nothing. Default `true`.
    ///
    /// Set it from the app's remote configuration, to turn everything off without a release.
    public var isEnabled = true
    /// Records view controllers. Default `true`.
    public var tracesViewControllers = true
    /// Records taps on controls. Default `true`.
    public var tracesTaps = true
    /// View controllers that are recorded although they are not the app's own, by their class. Default none.
    ///
    /// A name is `MyModule.MyController` or `MyController`. A `*` stands for any characters: `Legacy*`, `*Picker`.
    public var includedControllers: Set<String> = []
    /// View controllers that are not recorded, by the name of their class, nor are taps on controls inside them. They
    /// win over those that are included. A `*` stands for any characters, as in `Pin*`. Default none.
    public var excludedControllers: Set<String> = []
    /// Controls whose taps are not recorded, by their accessibility identifier. A `*` stands for any characters, as
    /// in `digit-*` and `*-pin-*`. Default none.
    ///
    /// Fields for secure text are never recorded. Leave out the keys of a PIN pad, too: the order of taps is the PIN.
    public var excludedControls: Set<String> = []

    /// Creates the default options: all view controllers of the app, and taps.
    public init() {}

    /// The methods to exchange.
    var targets: [ExchangeTarget] {
        guard isEnabled else { return [] }
        return (tracesViewControllers ? ExchangeTarget.ofControllers : [])
            + (tracesTaps ? ExchangeTarget.ofControls : [])
    }
}
