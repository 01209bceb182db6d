import AstrolabeTelemetryModel

extension TransactionWork {
    /// Adds the gathered data to the tables of sums. Call it once, after all batches are written.
    mutating func finish(_ arrival: Arrival) throws -> CommitReport {
        try claimTraces()
        for trace in traces where trace.isTouched { try save(trace) }
        for session in sessions where session.isTouched { try save(session) }
        try touchOrigins()
        var report = CommitReport(
            cursor: writer.nextSeq - 1,
            storedRecords: storedRecords,
            sessions: Set(sessions.lazy.filter(\.isTouched).map(\.id)),
            traces: Set(traces.lazy.filter(\.isTouched).map(\.traceID)),
            hasMetrics: !series.isEmpty,
            rejections: rejections,
            arrivals: arrivals,
        )
        for trace in traces where trace.isTouched { report.sessions.formUnion(trace.knownSessions) }
        if storedRecords > 0 {
            try save(arrival, through: report.cursor)
            try savePhones(arrival, through: report.cursor)
        }
        return report
    }

    /// Notes when the records up to a sequence number arrived, in one row for each minute of both clocks.
    private func save(_ arrival: Arrival, through seq: Int64) throws {
        let statement = writer.lastArrival == arrival ? statements.moveArrival : statements.insertArrival
        statement.bind(1, seq)
        statement.bind(2, arrival.minute)
        statement.bind(3, arrival.age)
        try statement.run()
        writer.lastArrival = arrival
    }

    /// Adds the records without a session to every session of their trace.
    private mutating func claimTraces() throws {
        var indexOfSession: [Int64: Int] = [:]
        for (index, session) in sessions.enumerated() { indexOfSession[session.id] = index }
        for trace in traces where trace.isTouched {
            if !trace.unclaimed.isEmpty {
                for id in trace.knownSessions {
                    if let index = indexOfSession[id] {
                        sessions[index].tally += trace.unclaimed
                        sessions[index].lastSeq = max(sessions[index].lastSeq, trace.lastSeq)
                    } else {
                        var work = SessionWork(name: "", id: id, isNew: false)
                        work.tally = trace.unclaimed
                        work.lastSeq = trace.lastSeq
                        indexOfSession[id] = sessions.count
                        sessions.append(work)
                    }
                }
            }
            guard !trace.newSessions.isEmpty else { continue }
            var inherited = trace.isNew ? CommitTotals() : try unclaimed(of: trace.id)
            inherited += trace.unclaimed
            for id in trace.newSessions {
                guard let index = indexOfSession[id] else { continue }
                sessions[index].tally += inherited
                sessions[index].traces += 1
                statements.insertTraceSession.bind(1, trace.id)
                statements.insertTraceSession.bind(2, id)
                try statements.insertTraceSession.run()
            }
        }
    }

    private func unclaimed(of trace: Int64) throws -> CommitTotals {
        var tally = CommitTotals()
        statements.findUnclaimed.bind(1, trace)
        try statements.findUnclaimed.forEachRow { row in
            tally = CommitTotals(
                spans: row.integer(0), events: row.integer(1), errors: row.integer(2), crashes: row.integer(3),
            )
        }
        return tally
    }

    private func save(_ trace: TraceWork) throws {
        let statement = trace.isNew ? statements.insertTrace : statements.updateTrace
        statement.bind(1, trace.id)
        statement.bind(2, trace.range.first)
        statement.bind(3, trace.range.last)
        statement.bind(4, trace.spans)
        statement.bind(5, trace.logs)
        statement.bind(6, trace.errors)
        statement.bind(7, trace.unclaimed.spans)
        statement.bind(8, trace.unclaimed.events)
        statement.bind(9, trace.unclaimed.errors)
        statement.bind(10, trace.unclaimed.crashes)
        statement.bind(11, trace.lastSeq)
        if trace.isNew {
            statement.bind(12, trace.lead.rank)
            statement.bind(13, trace.lead.start)
            statement.bind(14, trace.lead.span)
            statement.bind(15, trace.lead.seq)
            statement.bind(16, Int64(bitPattern: trace.traceID.high))
            statement.bind(17, Int64(bitPattern: trace.traceID.low))
        }
        try statement.run()
        if !trace.isNew, trace.lead.seq > 0 {
            statements.updateLead.bind(1, trace.id)
            statements.updateLead.bind(2, trace.lead.rank)
            statements.updateLead.bind(3, trace.lead.start)
            statements.updateLead.bind(4, trace.lead.span)
            statements.updateLead.bind(5, trace.lead.seq)
            try statements.updateLead.run()
        }
        if trace.isNew || !trace.newSessions.isEmpty {
            let sessions = trace.knownSessions + trace.newSessions
            writer.remember(trace: trace.traceID, as: BatchWriter.KnownTrace(id: trace.id, sessions: sessions))
        }
    }

    private func save(_ session: SessionWork) throws {
        let statement = session.isNew ? statements.insertSession : statements.updateSession
        let numbers = [
            session.id, session.any.first, session.any.last, session.device.first, session.device.last,
            session.tally.spans, session.tally.events, session.tally.errors, session.tally.crashes, session.points,
            session.requests, session.failedRequests, session.deviceRequests, session.deviceFailedRequests,
            session.traces, session.lastSeq,
        ]
        for (index, number) in numbers.enumerated() { statement.bind(Int32(index + 1), number) }
        let origin = session.origin
        if session.isNew {
            statement.bind(17, origin.rank)
            statement.bind(18, origin.time)
            statement.bind(19, origin.tie)
            statement.bind(20, origin.resource)
            statement.bind(21, session.name)
            writer.remember(session: session.name, as: session.id)
        }
        try statement.run()
        if !session.isNew, origin.rank >= 0 {
            statements.updateOrigin.bind(1, session.id)
            statements.updateOrigin.bind(2, origin.rank)
            statements.updateOrigin.bind(3, origin.time)
            statements.updateOrigin.bind(4, origin.tie)
            statements.updateOrigin.bind(5, origin.resource)
            try statements.updateOrigin.run()
        }
        try save(session.screens, of: session.id, by: statements.upsertScreen)
        try save(session.triggers, of: session.id, by: statements.upsertTrigger)
        for (bucket, activity) in session.activity {
            statements.upsertActivity.bind(1, session.id)
            statements.upsertActivity.bind(2, bucket)
            statements.upsertActivity.bind(3, activity.records)
            statements.upsertActivity.bind(4, activity.errors)
            try statements.upsertActivity.run()
        }
    }

    /// - Parameter names: The screens or triggers of a session, with the time of the first record.
    private func save(_ names: [String: Int64], of session: Int64, by statement: RawStatement) throws {
        for (name, firstTime) in names {
            statement.bind(1, session)
            statement.bind(2, name)
            statement.bind(3, firstTime)
            try statement.run()
        }
    }

    /// Marks resources, scopes and series as still in use.
    private func touchOrigins() throws {
        for (id, counts) in resources {
            statements.touchResource.bind(1, id)
            statements.touchResource.bind(2, counts.spans)
            statements.touchResource.bind(3, counts.logs)
            statements.touchResource.bind(4, counts.points)
            statements.touchResource.bind(5, counts.lastSeq)
            statements.touchResource.bind(6, counts.replays)
            try statements.touchResource.run()
        }
        for (id, lastSeq) in scopes {
            statements.touchScope.bind(1, id)
            statements.touchScope.bind(2, lastSeq)
            try statements.touchScope.run()
        }
        for (id, lastSeq) in series {
            statements.touchSeries.bind(1, id)
            statements.touchSeries.bind(2, lastSeq)
            try statements.touchSeries.run()
        }
    }
}
