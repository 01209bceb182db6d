/// A value that describes itself without what it holds: `print`, `dump`, string interpolation and a debugger's
/// summary show ``description`` alone.
///
/// Conform, and write a `description` that may be read by anyone.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: [], displayStyle: .struct)
    }
}
