/// One page of a list, newest first.
package struct Page<Element: Sendable>: Sendable {
    package let elements: [Element]
    /// The cursor of the next page; `nil` at the end of the list.
    package let next: String?
    /// True if the page is complete. If the search timed out, it is not, and `next` continues the search.
    package let isComplete: Bool
    /// The sequence number up to which the page is current.
    package let cursor: Int64

    package init(elements: [Element], next: String?, isComplete: Bool, cursor: Int64) {
        self.elements = elements
        self.next = next
        self.isComplete = isComplete
        self.cursor = cursor
    }

    /// Returns the page with what follows it.
    package func followed(by rest: Page<Element>) -> Page<Element> {
        Page(elements: elements + rest.elements, next: rest.next, isComplete: rest.isComplete, cursor: cursor)
    }
}
