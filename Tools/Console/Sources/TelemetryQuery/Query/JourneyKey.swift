/// The value that links the records of a journey, as `by` names it: `session`, `installation` or any other value of a
/// record.
///
/// An order of the shop ends a session and starts the next one. The installation stays the same.
extension Expression {
    static let session = Expression.field("session.id")
    static let installation = Expression.field("app.installation.id")

    private static let journeyKeys = [("session", session), ("installation", installation)]

    package init(journeyKey text: String) throws(QueryError) {
        if let (_, key) = Self.journeyKeys.first(where: { $0.0 == text }) {
            self = key
        } else {
            self = try Expression(text: text)
        }
    }

    package var journeyKey: String { Self.journeyKeys.first { $0.1 == self }?.0 ?? description }
}
