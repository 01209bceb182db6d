/// The values that were found for texts lately, such as the columns of the names in the last records.
///
/// A dictionary reads and mixes all bytes of a text. This compares the text with the last one in its place.
struct RecentTexts<Value> {
    private var places: [(text: String, value: Value)?] = Array(repeating: nil, count: 256)

    /// Returns the value of a text: the last one that was found, or else that of `find`.
    mutating func value(of text: String, else find: (String) -> Value?) -> Value? {
        let place = Self.place(of: text)
        if let known = places[place], known.text == text { return known.value }
        guard let found = find(text) else { return nil }
        places[place] = (text, found)
        return found
    }

    /// A number below 256 from the length and a few letters, in which names differ.
    private static func place(of text: String) -> Int {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            let count = bytes.count
            guard count > 0 else { return 0 }
            let last = Int(bytes[count - 1]) &* 31 &+ Int(bytes[count / 2])
            return (last &* 31 &+ Int(bytes[count / 4]) &* 7 &+ count) & 0xFF
        } ?? 0
    }
}

extension RecentTexts: Sendable where Value: Sendable {}

/// The names of the columns of attributes, for one record after another.
package struct ColumnNames: Sendable {
    private let dataset: Dataset
    private var recent = RecentTexts<String>()

    package init(of dataset: Dataset) {
        self.dataset = dataset
    }

    /// Returns what ``FieldNames/column(ofAttribute:in:)`` does.
    package mutating func column(ofAttribute key: String) -> String {
        recent.value(of: key) { [dataset] in FieldNames.column(ofAttribute: $0, in: dataset) } ?? key
    }
}
