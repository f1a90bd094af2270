import Whimbrel

class Base<Value> {
  init() {}
}

protocol Tagged { associatedtype Tag }
protocol Titled: AnyObject { var title: String { get } }

@Model final class Zone: Base<Int>, Titled {
  var title: String
  var country: String?
}

enum Old {
  class Base {}
  @Model(.embedded) final class Place: Old.Base & Titled {
    var title: String
  }
}

typealias Root = Old.Base

@Model final class Region: Root {
  var title: String
}

// Protocols are not superclasses.
@Model final class Sound: Tagged, Titled {
  typealias Tag = Int
  var title: String
}
@Model final class Sounder: Titled, Tagged {
  typealias Tag = Int
  var title: String
}
