import Foundation

#if os(Linux)
@_spi(Reflection) import Swift
#endif

/// The locale of the app's process.
enum ProcessLocale {
    /// Makes `Locale.current` the locale of the device, for this process.
    ///
    /// Foundation on Linux reads no setting of the user: its current locale is always `en_001`. It is one object,
    /// which all formatters without a locale of their own use, and which the current calendar is made from. This copies
    /// the fields of another locale of the same class into it, except for the lock with the cached values. Call it
    /// before anything uses the current locale.
    ///
    /// - Throws: ``HostError`` if Foundation's locale has another form, so that an app never runs in a wrong locale.
    static func install(_ identifier: String) throws {
        #if os(Linux)
        let wanted = Locale(identifier: identifier)
        guard Locale.current.identifier != wanted.identifier else { return }
        try copy(from: try storage(of: wanted), to: try storage(of: Locale.current))
        let current = Locale.current
        guard current.identifier == wanted.identifier, Calendar.current.identifier == wanted.calendar.identifier else {
            throw HostError(
                "cannot set the locale of the process: expected \(wanted.identifier); found \(current.identifier)")
        }
        #endif
    }

    #if os(Linux)
    /// The object in a locale, which is the first of its two words.
    private static func storage(of locale: Locale) throws -> AnyObject {
        guard MemoryLayout<Locale>.size == MemoryLayout<(AnyObject, Int)>.size else { throw unknownForm }
        return unsafeBitCast(locale, to: (AnyObject, Int).self).0
    }

    private static func copy(from source: AnyObject, to target: AnyObject) throws {
        let kind: AnyClass = type(of: target)
        guard type(of: source) == kind, source !== target else { throw unknownForm }
        let from = Unmanaged.passUnretained(source).toOpaque()
        let to = Unmanaged.passUnretained(target).toOpaque()
        var copied: Set<String> = []
        // The option is `classType`, which is declared as a variable.
        _ = _forEachField(of: kind, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
            let name = String(cString: name)
            if name == "lock" { return true }
            func copy<Value>(_ type: Value.Type) {
                let value = (from + offset).assumingMemoryBound(to: Value.self).pointee
                (to + offset).assumingMemoryBound(to: Value.self).pointee = value
            }
            _openExistential(type, do: copy)
            copied.insert(name)
            return true
        }
        guard copied.isSuperset(of: ["identifier", "calendarIdentifier", "prefs"]) else { throw unknownForm }
    }

    private static let unknownForm = HostError(
        "cannot set the locale of the process: this version of Foundation stores locales differently")
    #endif
}
