// AstrolabeSwiftUI needs SwiftUI, which this platform has not. Tools/Simulator compiles it over a stand-in.
