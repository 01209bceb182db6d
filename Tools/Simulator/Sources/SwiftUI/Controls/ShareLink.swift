public import Foundation

/// A value that a share sheet shows: a text or an address.
public protocol _ShareItem {
    var _text: String { get }
}

extension String: _ShareItem {
    public var _text: String { self }
}

extension URL: _ShareItem {
    public var _text: String { absoluteString }
}

/// A control that presents what the user can share.
///
/// Partly: Texts and addresses, without previews. The sheet shows them; the simulated phone has no app that takes them.
public struct ShareLink<Data: RandomAccessCollection, PreviewImage, PreviewIcon, Label: View>: View {
    private let items: [String]
    private let subject: Text?
    private let message: Text?
    private let label: Label
    @State private var isPresented = false

    private init(shared items: [String], _ subject: Text?, _ message: Text?, label: Label) {
        self.items = items
        self.subject = subject
        self.message = message
        self.label = label
    }

    public var body: some View {
        Button(action: { isPresented = true }, label: { label })
            .sheet(isPresented: $isPresented) { ShareSheet(items: items, subject: subject, message: message) }
    }
}

extension ShareLink where PreviewImage == Never, PreviewIcon == Never {
    /// - Parameters:
    ///   - subject: The title of what is shared, such as that of a mail.
    ///   - message: A text beside what is shared.
    public init(
        items: Data, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label,
    ) where Data.Element: _ShareItem {
        self.init(shared: items.map(\._text), subject, message, label: label())
    }

    public init<Item: _ShareItem>(
        item: Item, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label,
    ) where Data == CollectionOfOne<Item> {
        self.init(shared: [item._text], subject, message, label: label())
    }
}

extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel {
    public init(items: Data, subject: Text? = nil, message: Text? = nil) where Data.Element: _ShareItem {
        self.init(shared: items.map(\._text), subject, message, label: Label(title: nil))
    }

    public init<Item: _ShareItem>(
        item: Item, subject: Text? = nil, message: Text? = nil,
    ) where Data == CollectionOfOne<Item> {
        self.init(shared: [item._text], subject, message, label: Label(title: nil))
    }

    public init<Item: _ShareItem>(
        _ titleKey: LocalizedStringKey, item: Item, subject: Text? = nil, message: Text? = nil,
    ) where Data == CollectionOfOne<Item> {
        self.init(Text(titleKey), item: item, subject: subject, message: message)
    }

    @_disfavoredOverload
    public init<S: StringProtocol, Item: _ShareItem>(
        _ title: S, item: Item, subject: Text? = nil, message: Text? = nil,
    ) where Data == CollectionOfOne<Item> {
        self.init(Text(title), item: item, subject: subject, message: message)
    }

    public init<Item: _ShareItem>(
        _ title: Text, item: Item, subject: Text? = nil, message: Text? = nil,
    ) where Data == CollectionOfOne<Item> {
        self.init(shared: [item._text], subject, message, label: Label(title: title))
    }
}

/// The label of a ``ShareLink`` without one of its own.
public struct DefaultShareLinkLabel: View {
    let title: Text?
    @Environment(\.locale) private var locale

    public var body: some View {
        Label {
            title ?? Text(verbatim: SystemWord.share.text(for: locale))
        } icon: {
            Image(systemName: "square.and.arrow.up")
        }
    }
}

private struct ShareSheet: View {
    let items: [String]
    let subject: Text?
    let message: Text?
    @Environment(\.dismiss) private var dismiss
    @Environment(\.locale) private var locale

    var body: some View {
        let language = Translations.main.language(for: locale)
        NavigationStack {
            List {
                Section {
                    if let subject { subject.font(.headline) }
                    ForEach(items.indices, id: \.self) { Text(verbatim: items[$0]) }
                    if let message { message.foregroundColor(.secondary) }
                }
            }
            .navigationTitle(Text(verbatim: SystemWord.share.text(in: language)))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .confirmationAction) {
                    Button(action: { dismiss() }, label: { Text(verbatim: SystemWord.done.text(in: language)) })
                }
            }
        }
        .presentationDetents([.medium])
    }
}
