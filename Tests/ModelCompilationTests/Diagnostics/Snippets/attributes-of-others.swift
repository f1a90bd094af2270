import Whimbrel

@Model
final class Order {
  @Attribute(.unique) var number: Int
  @Attribute(originalName: "town") var city: String
  @Relationship(deleteRule: .cascade) var parts: StoredList<OrderPart>
}

@Model
final class OrderPart {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String = ""
}
