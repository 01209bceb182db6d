import SwiftUI

// Modifiers that SwiftUI has on iOS but not on macOS, where the module is built for its view models only.
extension View {
    /// Shows the page's title in the navigation bar instead of in large letters below it.
    func inlineTitle() -> some View {
        #if os(macOS)
        self
        #else
        navigationBarTitleDisplayMode(.inline)
        #endif
    }

    /// Configures a field for text such as an e-mail address, without autocorrection and capitalization.
    func writtenAsItIs() -> some View {
        #if os(macOS)
        autocorrectionDisabled()
        #else
        autocorrectionDisabled().textInputAutocapitalization(.never)
        #endif
    }

    /// Covers the whole screen with `content`.
    func cover<Content: View>(
        isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        #if os(macOS)
        sheet(isPresented: isPresented, content: content)
        #else
        fullScreenCover(isPresented: isPresented, content: content)
        #endif
    }
}
