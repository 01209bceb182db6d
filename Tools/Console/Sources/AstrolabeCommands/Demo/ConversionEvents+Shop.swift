import ConsoleModel
import ShopHistory

extension ConversionEvents {
    /// Those of the Astronomy Shop.
    static let shop = ConversionEvents(
        conversions: ShopMilestones.conversions, checkouts: ShopMilestones.checkouts, amounts: ShopMilestones.amounts)
}
