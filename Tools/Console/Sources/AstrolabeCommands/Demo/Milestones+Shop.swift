import ConsoleModel
import ShopHistory

extension Milestones {
    /// Those of the Astronomy Shop.
    static let shop = Milestones(
        conversions: ShopMilestones.conversions, checkouts: ShopMilestones.checkouts, amounts: ShopMilestones.amounts, )
}
