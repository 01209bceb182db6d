/// A wireframe without the texts that must not be read, as a list of nodes: the form in which it is compared, kept and
/// recorded. ``ReplayMask`` alone makes one of a screen.
struct MaskedWireframe: Hashable, Sendable {
    struct Node: Hashable, Sendable {
        var id: Int
        var role: Wireframe.Role
        var children: [Int] = []
        /// Lengths of the words of a text that is not recorded.
        var words: [Int] = []
        /// A text that may be read.
        var text: String?
        var name: String?
        var layout = Wireframe.Layout()
        var style = Wireframe.Style()
        var isOn: Bool?
        var fraction: Double?
        var isDimmed = false
    }

    var width: Int
    var height: Int
    var root: Int
    /// From the outside in; each id once.
    var nodes: [Node]
    /// Whether the screen held more than the limits allow.
    var isCut = false
}
