import AstrolabeSemantics

/// What went wrong. Raw values are what the database holds.
package enum ProblemKind: UInt8, Sendable, CaseIterable {
    case crash = 1
    case hang = 2

    /// The name of the event that tells of it.
    package var eventName: String {
        switch self {
        case .crash: EventName.appCrash
        case .hang: EventName.hang
        }
    }

    package init?(eventName: String) {
        guard let kind = Self.allCases.first(where: { $0.eventName == eventName }) else { return nil }
        self = kind
    }

    /// The word that the API uses.
    package var name: String {
        switch self {
        case .crash: "crash"
        case .hang: "hang"
        }
    }

    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension Schema {
    /// SQL that is true for a row of `logs`, called `table`, that tells of a device's health. A query that should find
    /// such rows by their index says exactly this, beside what it looks for.
    static func isHealth(_ table: String) -> String { "\(table).\(isHealth)" }

    private static let isHealth = {
        let names = ([EventName.appJank] + ProblemKind.allCases.map(\.eventName)).map { "'\($0)'" }
        return "name IN (\(names.joined(separator: ", ")))"
    }()

    /// SQL for the version of the app that a log record is of: a record about an earlier run names that run's, which
    /// may differ from the resource's.
    static func version(log: String, resource: String) -> String {
        let key = AttributeKey.serviceVersion
        return #"""
            ifnull(ifnull(json_extract(\#(log).attributes, '$."\#(key)"'), \#(version(resource: resource))), '')
            """#
    }

    static func version(resource: String) -> String {
        #"json_extract(\#(resource).attributes, '$."\#(AttributeKey.serviceVersion)"')"#
    }

    /// What a file of version 2 lacks: crashes and hangs by what caused them.
    ///
    /// A row of `problems` is made from the log record with the same `seq` once somebody has read its stacks; it goes
    /// with the record.
    static let additionsOfVersion3: [String] = [
        "CREATE INDEX logs_of_health ON logs (name, seq) WHERE \(isHealth)",
        """
        CREATE TABLE problems (
            seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, fingerprint TEXT NOT NULL, title TEXT NOT NULL,
            place TEXT NOT NULL, wanted TEXT NOT NULL, time INTEGER NOT NULL, session INTEGER NOT NULL,
            installation TEXT NOT NULL, version TEXT NOT NULL, screen TEXT NOT NULL, duration REAL)
        """,
        "CREATE INDEX problems_by_group ON problems (fingerprint, time)",
        "CREATE INDEX problems_that_want ON problems (seq) WHERE wanted <> '[]'",
    ]
}
