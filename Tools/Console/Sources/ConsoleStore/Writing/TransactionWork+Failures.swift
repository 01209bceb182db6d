extension TransactionWork {
    /// Counts a stored error span, unless one of its children is the same failure, and counts its parent no longer.
    ///
    /// The sum is the number of spans with ``Schema/isFailure(_:)``, in whatever order the spans arrive.
    mutating func countFailure(_ span: PreparedBatch.SpanRow, in trace: Int, session: Int?, seq: Int64) throws {
        let id = traces[trace].id
        if try errorChildren(of: span.span, in: id) == 0 {
            count(1, in: trace, session: session)
        }
        guard span.parent != 0, span.parent != span.span else { return }
        // Both sides of a call may have the id.
        var parents: [Int64] = []
        statements.findErrorSpan.bind(1, id)
        statements.findErrorSpan.bind(2, span.parent)
        try statements.findErrorSpan.forEachRow { parents.append($0.integer(0)) }
        // A parent counted until the first of its failed children came.
        guard !parents.isEmpty, try errorChildren(of: span.parent, in: id) == 1 else { return }
        for parent in parents {
            let owner = parent == 0 ? nil : sessionIndex(number: parent)
            if let owner { sessions[owner].lastSeq = max(sessions[owner].lastSeq, seq) }
            count(-1, in: trace, session: owner)
        }
    }

    private mutating func count(_ errors: Int64, in trace: Int, session: Int?) {
        traces[trace].errors += errors
        if let session {
            sessions[session].tally.errors += errors
        } else {
            traces[trace].unclaimed.errors += errors
        }
    }

    private func errorChildren(of span: Int64, in trace: Int64) throws -> Int64 {
        statements.countErrorChildren.bind(1, trace)
        statements.countErrorChildren.bind(2, span)
        return try statements.countErrorChildren.firstInteger() ?? 0
    }

    /// Returns the index of a stored session's work.
    private mutating func sessionIndex(number: Int64) -> Int {
        if let index = sessions.firstIndex(where: { $0.id == number }) { return index }
        sessions.append(SessionWork(name: "", id: number, isNew: false))
        return sessions.count - 1
    }
}
