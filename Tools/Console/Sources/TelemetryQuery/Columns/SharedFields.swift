/// Fields that many records share: those of their resource and scope.
///
/// A record has no field of its own with one of these names. If it has, the shared one counts.
package final class SharedFields: Sendable {
    package static let none = SharedFields([:])

    package let fields: [String: QueryValue]
    /// The name of the service; empty if there is none.
    let service: String

    package init(_ fields: [String: QueryValue]) {
        self.fields = fields
        service = fields["resource.service.name"]?.text ?? ""
    }

    /// Returns true if this is the name of a shared field.
    func has(_ name: String) -> Bool {
        // Of most names the first letter decides.
        switch name.utf8.first {
        case UInt8(ascii: "r"), UInt8(ascii: "s"): fields[name] != nil
        default: false
        }
    }
}
