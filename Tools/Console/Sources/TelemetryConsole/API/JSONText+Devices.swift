import ConsoleModel

extension JSONText {
    mutating func append(_ device: DeviceSummary) {
        object { text in
            text.member("id", device.id)
            text.member("device") { $0.append(device.device) }
            text.member("appVersions") { $0.array(device.appVersions) { $0.append($1) } }
            text.member("sessions", device.sessions)
            text.member("spans", device.spans)
            text.member("events", device.events)
            text.member("metricPoints", device.metricPoints)
            if device.lastSeenUnixNano > 0 { text.member("lastSeenUs", device.lastSeenUnixNano / 1_000) }
            if let ledger = device.ledger { text.member("ledger") { $0.append(ledger) } }
            text.member("cursor", device.cursor)
        }
    }

    /// Appends a ledger snapshot, without the numbers that have not arrived.
    mutating func append(_ account: LedgerSnapshot) {
        object { text in
            text.member("timeUs", account.timeUnixNano / 1_000)
            if let created = account.created { text.member("created", created) }
            if let delivered = account.delivered { text.member("delivered", delivered) }
            if let inJournal = account.inJournal { text.member("journal", inJournal) }
            if let inQueue = account.inQueue { text.member("queue", inQueue) }
            if let notSent = account.notSent { text.member("notSent", notSent) }
            text.member("dropped") { $0.append(account.dropped) }
            if let unaccounted = account.unaccounted { text.member("unaccounted", unaccounted) }
        }
    }

    mutating func append(_ ledger: SessionLedger) {
        object { text in
            if let account = ledger.account { text.member("account") { $0.append(account) } }
            if let during = ledger.during { text.member("during") { $0.append(during) } }
        }
    }

    private mutating func append(_ period: LedgerPeriod) {
        object { text in
            text.member("fromUs", period.fromUnixNano / 1_000)
            text.member("timeUs", period.toUnixNano / 1_000)
            text.member("carried", period.carried)
            text.member("created", period.created)
            text.member("delivered", period.delivered)
            text.member("journal", period.inJournal)
            text.member("queue", period.inQueue)
            text.member("notSent", period.notSent)
            text.member("dropped") { $0.append(period.dropped) }
            text.member("unaccounted", period.unaccounted)
        }
    }

    private mutating func append(_ drops: [LedgerSnapshot.Drop]) {
        array(drops) { text, drop in
            text.object { text in
                text.member("reason", drop.reason)
                text.member("count", drop.count)
            }
        }
    }
}
