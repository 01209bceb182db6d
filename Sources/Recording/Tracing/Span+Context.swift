import Atomics

/// Makes a span the current one while a closure runs.
extension Span {
    @usableFromInline
    func withContext<Result>(in core: RecordingCore?, _ body: (Span) throws -> Result) rethrows -> Result {
        guard let core else { return try body(self) }
        guard isNumberEnough(in: core) else { return try ContextScope.run(holder(in: core)) { try body(self) } }
        core.contextUse.wrappingIncrement(ordering: .relaxed)
        defer { core.contextUse.wrappingDecrement(ordering: .relaxed) }
        return try core.contextMark.withValue(stub.number) { try body(self) }
    }

    @usableFromInline
    func withContext<Result>(
        in core: RecordingCore?, isolation: isolated (any Actor)?, _ body: (Span) async throws -> Result,
    ) async rethrows -> Result {
        guard let core else { return try await body(self) }
        guard isNumberEnough(in: core) else {
            return try await ContextScope.run(holder(in: core), isolation: isolation) { try await body(self) }
        }
        core.contextUse.wrappingIncrement(ordering: .relaxed)
        defer { core.contextUse.wrappingDecrement(ordering: .relaxed) }
        return try await core.contextMark.withValue(
            stub.number, operation: { try await body(self) }, isolation: isolation, )
    }

    /// True for a local root that was sampled out, unless there is another context around it.
    private func isNumberEnough(in core: RecordingCore) -> Bool {
        guard stub.handle == nil else { return false }
        let use = core.contextUse.load(ordering: .relaxed)
        return use == 0 || use < ContextUse.otherWay && core.contextMark.get() == ContextScope.noContext
    }

    private func holder(in core: RecordingCore) -> ContextHolder {
        let use = core.contextUse.load(ordering: .relaxed)
        let baggage =
            if use == 0 {
                Baggage()
            } else if use < ContextUse.otherWay {
                ContextScope.context(of: core.contextMark.get()).baggage
            } else {
                TelemetryContext.current.baggage
            }
        if let recorder, baggage.isEmpty, use < ContextUse.otherWay {
            recorder.use()
            return recorder
        }
        return ContextNode(TelemetryContext(activeSpan: self, baggage: baggage).opened())
    }
}
