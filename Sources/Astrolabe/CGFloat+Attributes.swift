public import AstrolabeTelemetryModel
public import Foundation

extension CGFloat: AttributeConvertible {
    public var attributeValue: AttributeValue? { .double(Double(self)) }
}
