import ConsoleModel

/// The numbers in the database that a row of `spans` refers to.
struct SpanNumbers {
    let seq: Int64
    let trace: Int64
    /// 0 for a span without a session.
    let session: Int64
    let resource: Int64
    let scope: Int64
}

extension RawStatement {
    /// Binds a span as the parameters 1 to 16, in the order of the columns of `spans`.
    func bind(_ span: PreparedBatch.SpanRow, _ numbers: SpanNumbers, of text: UnsafeRawBufferPointer) {
        bind(1, numbers.seq)
        bind(2, numbers.trace)
        bind(3, span.span)
        bind(4, span.parent)
        bind(5, numbers.session)
        bind(6, numbers.resource)
        bind(7, numbers.scope)
        bind(8, Int64(span.kind))
        bind(9, Int64(span.category.rawValue))
        bind(10, Int64(span.status))
        bind(11, span.start)
        bind(12, span.duration)
        bind(13, span.name, of: text, emptyIsNull: false)
        bind(14, span.attributes, of: text)
        bind(15, span.more, of: text)
        bind(16, Int64(span.flags))
    }
}
