package import OTLP
package import TelemetryModel

/// Records that travel together, grouped as a request wants them.
package struct RecordBatch: Sendable {
    /// Records of one kind and scope.
    package struct Group: Sendable {
        package let kind: RecordKind
        package let scope: ScopeNumber
        package fileprivate(set) var records = EncodedRecords()
    }

    package private(set) var groups: [Group] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ bytes: UnsafeRawBufferPointer, kind: RecordKind, scope: ScopeNumber) {
        let index =
            groups.firstIndex { $0.kind == kind && $0.scope == scope }
            ?? {
                groups.append(Group(kind: kind, scope: scope))
                return groups.count - 1
            }()
        groups[index].records.append(bytes)
        count += 1
    }

    /// The part of one kind, or `nil` where there is none.
    package func part(_ kind: RecordKind) -> [Group]? {
        let part = groups.filter { $0.kind == kind }
        return part.isEmpty ? nil : part
    }
}
