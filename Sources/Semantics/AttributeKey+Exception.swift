/// An exception: its type, its message, and its place.
extension AttributeKey {
    /// The class of an error, with few values: a status code, a type's name, or `_OTHER`; absent on success.
    ///
    /// String, such as `503`. Stable.
    public static let errorType = "error.type"

    /// The type of an error or exception, with its module.
    ///
    /// String, such as `Foundation.URLError`. Stable.
    public static let exceptionType = "exception.type"

    /// The message of the error, redacted.
    ///
    /// String, such as `The request timed out.`. Stable.
    public static let exceptionMessage = "exception.message"

    /// The stack at the time, innermost frame first, one frame a line.
    ///
    /// String, such as `0  AstronomyShop  0x102f3c1d8`. Stable.
    public static let exceptionStacktrace = "exception.stacktrace"

    /// The group in which handled errors are counted: the type, the function and the file, or a text of the app's.
    ///
    /// String, such as `Shop.Declined in pay(_:), Shop/Checkout.swift`. Not in the conventions.
    public static let astrolabeErrorGroup = "astrolabe.error.group"

    /// The function, with its type and module.
    ///
    /// String, such as `AstronomyShop.CartViewModel.add(_:)`. Stable.
    public static let codeFunctionName = "code.function.name"

    /// The source file.
    ///
    /// String, such as `AstronomyShop/CartViewModel.swift`. Stable.
    public static let codeFilePath = "code.file.path"

    /// The line within ``codeFilePath``, counted from 1.
    ///
    /// Int, such as `42`. Stable.
    public static let codeLineNumber = "code.line.number"

    /// The thread's number.
    ///
    /// Int, such as `259`. In development.
    public static let threadID = "thread.id"

    /// The thread's name.
    ///
    /// String, such as `main`. In development.
    public static let threadName = "thread.name"
}
