/// The inline Markdown that a `Text` shows: emphasis, strong emphasis, code, strikethrough, links and attributes.
enum Markdown {
    struct Span: Hashable {
        var text: String
        var isBold = false
        var isItalic = false
        var isCode = false
        var isStruckThrough = false
        var link: String?
        /// True inside of `^[…](inflect: true)`.
        var isInflected = false
    }

    /// Returns the spans of a text. Markers without a counterpart are text.
    static func spans(_ source: String) -> [Span] {
        guard source.contains(where: { "*_`[~\\".contains($0) }) else { return [Span(text: source)] }
        var spans: [Span] = []
        parse(Array(source), Span(text: ""), &spans)
        return spans
    }

    private static func parse(_ letters: [Character], _ style: Span, _ spans: inout [Span]) {
        var text = ""
        var position = 0
        func close() {
            guard !text.isEmpty else { return }
            var span = style
            span.text = text
            spans.append(span)
            text = ""
        }
        while position < letters.count {
            let rest = letters[position...]
            if rest.first == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                text.append(next)
                position += 2
            } else if let code = enclosed(letters, position, "`", isCode: true) {
                close()
                var inner = style
                inner.isCode = true
                inner.text = String(letters[code.range])
                spans.append(inner)
                position = code.end
            } else if letters[position] == "^", let part = link(letters, position + 1) {
                close()
                var inner = style
                let attributes = part.target.replacing(" ", with: "")
                inner.isInflected = style.isInflected || attributes.contains("inflect:true")
                parse(Array(letters[part.label]), inner, &spans)
                position = part.end
            } else if let link = link(letters, position) {
                close()
                var inner = style
                inner.link = link.target
                parse(Array(letters[link.label]), inner, &spans)
                position = link.end
            } else if let (marked, change) = emphasis(letters, position) {
                close()
                var inner = style
                change(&inner)
                parse(Array(letters[marked.range]), inner, &spans)
                position = marked.end
            } else {
                text.append(letters[position])
                position += 1
            }
        }
        close()
    }

    private typealias Enclosed = (range: Range<Int>, end: Int)

    private static func emphasis(_ letters: [Character], _ start: Int) -> (Enclosed, (inout Span) -> Void)? {
        if let found = enclosed(letters, start, "***") {
            return (
                found,
                {
                    $0.isBold = true
                    $0.isItalic = true
                },
            )
        }
        for marker in ["**", "__"] {
            if let found = enclosed(letters, start, marker) { return (found, { $0.isBold = true }) }
        }
        if let found = enclosed(letters, start, "~~") { return (found, { $0.isStruckThrough = true }) }
        for marker in ["*", "_"] {
            if let found = enclosed(letters, start, marker) { return (found, { $0.isItalic = true }) }
        }
        return nil
    }

    /// Returns the text between two markers, the first of which is at `start`.
    private static func enclosed(
        _ letters: [Character], _ start: Int, _ marker: String, isCode: Bool = false,
    ) -> Enclosed? {
        let marker = Array(marker)
        func isMarker(_ at: Int) -> Bool {
            at >= 0 && at + marker.count <= letters.count && Array(letters[at..<at + marker.count]) == marker
        }
        func isWord(_ at: Int) -> Bool {
            letters.indices.contains(at) && (letters[at].isLetter || letters[at].isNumber)
        }
        let first = start + marker.count
        guard isMarker(start), first < letters.count, isCode || !letters[first].isWhitespace else { return nil }
        let isUnderscore = marker[0] == "_"
        if isUnderscore, isWord(start - 1) { return nil }
        var at = first
        while at < letters.count {
            if letters[at] == "\\", !isCode {
                at += 2
            } else if isMarker(at), at > first, isCode || !letters[at - 1].isWhitespace,
                !(isUnderscore && isWord(at + marker.count)),
                isCode || marker.count > 1 || !(isMarker(at + 1) || letters[at - 1] == marker[0])
            {
                return (first..<at, at + marker.count)
            } else {
                at += 1
            }
        }
        return nil
    }

    private static func link(_ letters: [Character], _ start: Int) -> (label: Range<Int>, target: String, end: Int)? {
        guard letters.indices.contains(start), letters[start] == "[", let close = letters[start...].firstIndex(of: "]"),
            letters.indices.contains(close + 1), letters[close + 1] == "(",
            let end = letters[close...].firstIndex(of: ")"), close > start + 1
        else { return nil }
        return (start + 1..<close, String(letters[(close + 2)..<end]), end + 1)
    }
}
