internal import WhimbrelEngine

/// Gives each name that is asked for once only.
package struct UniqueNames {
  private var taken: Set<String>
  private let separator: String

  /// - Parameters:
  ///   - taken: the names that nothing else may have. The default is none.
  ///   - separator: what stands before a number. The default is nothing.
  package init(taken: Set<String> = [], separator: String = "") {
    self.taken = taken
    self.separator = separator
  }

  /// Takes a name, with a number behind it if it is taken.
  package mutating func take(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name)\(separator)\(number)"
      number += 1
    }
    return candidate
  }
}

extension StoreSchema {
  /// Whether a schema takes a name for a property.
  package static func allowsProperty(named name: String) -> Bool {
    let property = PropertySchema(name: name, type: .int)
    return StoreSchema(classes: [ClassSchema(name: "Row", properties: [property])]).problems.isEmpty
  }
}
