/// A wireframe without texts that must not be readable, as a list of nodes.
///
/// Frames are compared, stored and recorded in this form. Only ``ReplayMask`` creates it from a screen.
struct MaskedWireframe: Hashable, Sendable {
    struct Node: Hashable, Sendable {
        var id: Int
        var role: Wireframe.Role
        var children: [Int] = []
        /// Lengths of the words of a text that is not recorded.
        var words: [Int] = []
        /// A readable text.
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
    /// In breadth-first order; each id once.
    var nodes: [Node]
    /// True if the screen exceeded the limits.
    var isCut = false
}
