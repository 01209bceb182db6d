import Foundation

/// Automatic grammar agreement, `^[\(count) minute](inflect: true)`, in English.
extension LocalizedStringKey {
    /// Returns the pieces with the nouns in the form for the number beside them.
    static func inflected(_ pieces: [Piece], in locale: Locale) -> [Piece] {
        guard pieces.contains(where: \.span.isInflected) else { return pieces }
        let language = Translations.main.language(for: locale)
        guard language == "en" else {
            if let graph = Evaluation.current?.node.graph {
                MainActor.assumeIsolated { graph.report(.noInflection(language: language)) }
            }
            return pieces
        }
        var pieces = pieces
        var start = pieces.startIndex
        while start < pieces.endIndex {
            let end = pieces[start...].firstIndex { !$0.span.isInflected } ?? pieces.endIndex
            if start < end { agree(&pieces, start..<end, locale) }
            start = end + 1
        }
        return pieces
    }

    private static func agree(_ pieces: inout [Piece], _ part: Range<Int>, _ locale: Locale) {
        let texts = pieces[part].map { $0.text(in: locale) }
        let words = texts.joined().split { !$0.isLetter && !$0.isNumber && !"-−.,".contains($0) }
        guard let number = words.first(where: { $0.contains(where: \.isNumber) }) else { return }
        let isSingular = ["1", "-1", "−1"].contains(String(number))
        let noun = part.last { index in
            guard pieces[index].isText else { return false }
            return texts[index - part.lowerBound].contains(where: \.isLetter)
        }
        guard let noun else { return }
        let text = EnglishNoun.phrase(texts[noun - part.lowerBound], isSingular: isSingular)
        var span = pieces[noun].span
        span.text = text
        pieces[noun] = .span(span)
    }
}

extension LocalizedStringKey.Piece {
    var span: Markdown.Span {
        switch self {
        case .span(let span), .argument(_, let span): span
        }
    }

    /// True for the words of the app, and false for numbers, images and texts with a style of their own.
    fileprivate var isText: Bool {
        switch self {
        case .span, .argument(.text, _): true
        case .argument: false
        }
    }

    fileprivate func text(in locale: Locale) -> String {
        switch self {
        case .span(let span): span.text
        case .argument(let argument, _): argument.text(in: locale)
        }
    }
}
