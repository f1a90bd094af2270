import Foundation
import Whimbrel

/// A small object, of which a store has many.
@Model
final class Grain {
  @PrimaryKey var number: Int
  var weight: Int
}

/// An object with a large value.
@Model
final class Boulder {
  @PrimaryKey var number: Int
  var name: String
  var body: Data
}
