import DeviceLink

extension PhoneSettings {
    /// The names of the devices that a phone can be.
    package static var deviceNames: [String] { DeviceName.allCases.map(\.rawValue) }

    /// Makes the phone the device of this name.
    ///
    /// - Throws: ``PhoneError/badSetting(_:)`` if there is none.
    package mutating func setDevice(named name: String) throws(PhoneError) {
        guard let device = DeviceName(rawValue: name) else {
            throw .badSetting("device: expected one of \(Self.deviceNames.joined(separator: ", ")); found \(name)")
        }
        self.device = device
    }
}
