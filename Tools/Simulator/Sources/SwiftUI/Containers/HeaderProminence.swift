/// The emphasis of a section's header.
public enum Prominence: Hashable, Sendable {
    case standard
    case increased
}

extension EnvironmentValues {
    private enum HeaderProminenceKey: EnvironmentKey {
        static let defaultValue = Prominence.standard
    }

    /// The emphasis of the headers of sections here.
    public var headerProminence: Prominence {
        get { self[HeaderProminenceKey.self] }
        set { self[HeaderProminenceKey.self] = newValue }
    }
}

extension View {
    /// Sets the emphasis of the headers of the sections inside. An increased one is larger, bold, and not in capitals.
    public func headerProminence(_ prominence: Prominence) -> some View {
        environment(\.headerProminence, prominence)
    }
}
