import Foundation
import ShopAPI
import SwiftUI

/// The content of the shipping form.
///
/// The description contains none of the values.
struct ShippingInfo: Hashable, Sendable {
    enum Field: String, CaseIterable, Sendable {
        case email, streetAddress, city, state, country, zipCode
    }

    var email = ""
    var streetAddress = ""
    var city = ""
    /// Required only in the United States.
    var state = ""
    var country = ""
    var zipCode = ""

    /// The longest field that the shop accepts, in UTF-8 bytes.
    static let lengthLimit = 256
    static let emailLengthLimit = 254

    /// The missing or invalid fields. A form without problems is complete.
    var problems: FormProblems<Field> {
        var problems = FormProblems<Field>()
        problems[.email] = emailProblem
        problems[.streetAddress] = Self.problem(
            with: streetAddress, missing: String(localized: "Enter the street and house number."))
        problems[.city] = Self.problem(with: city, missing: String(localized: "Enter the city."))
        problems[.country] = Self.problem(with: country, missing: String(localized: "Enter the country."))
        if isUnitedStates {
            problems[.state] = Self.problem(with: state, missing: String(localized: "Enter the state."))
        }
        problems[.zipCode] = zipCodeProblem
        return problems
    }

    var isComplete: Bool { problems.isEmpty }

    /// The address for the shop, without leading and trailing spaces.
    var address: Address {
        Address(
            streetAddress: streetAddress.trimmed, city: city.trimmed, state: state.trimmed, country: country.trimmed,
            zipCode: zipCode.trimmed,
        )
    }

    private var emailProblem: String? {
        let address = email.trimmed
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlausible =
            parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !parts[1].hasPrefix(".")
            && !parts[1].hasSuffix(".") && !address.contains(where: \.isWhitespace)
        return isPlausible && address.utf8.count <= Self.emailLengthLimit
            ? nil : String(localized: "Enter an e-mail address such as name@example.com.")
    }

    private var zipCodeProblem: String? {
        let code = zipCode.trimmed
        if isUnitedStates {
            let digits = code.split(separator: "-", omittingEmptySubsequences: false)
            let isValid = [[5], [5, 4]].contains(digits.map(\.count)) && digits.joined().allSatisfy(\.isASCIIDigit)
            return isValid ? nil : String(localized: "Enter a ZIP code of five digits.")
        }
        return Self.problem(with: code, missing: String(localized: "Enter the postal code."))
    }

    private var isUnitedStates: Bool {
        ["united states", "united states of america", "usa", "us"].contains(country.trimmed.lowercased())
    }

    private static func problem(with text: String, missing: String) -> String? {
        if text.trimmed.isEmpty { return missing }
        return text.utf8.count > lengthLimit ? String(localized: "This is too long.") : nil
    }
}

extension ShippingInfo {
    /// An address for demonstrations, so that nothing has to be typed: the Griffith Observatory.
    static let testData = ShippingInfo(
        email: "galileo@example.com", streetAddress: "2800 East Observatory Road", city: "Los Angeles", state: "CA",
        country: "United States", zipCode: "90027",
    )
}

extension ShippingInfo: Redacted {
    var description: String { "ShippingInfo(redacted)" }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
