import SwiftUI

// `RefusalTests` expects the message of the macro for its line of @Entry.

extension EnvironmentValues {
    @Entry var accent: Color { .red }
}
