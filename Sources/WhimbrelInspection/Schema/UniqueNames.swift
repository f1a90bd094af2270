internal import WhimbrelEngine

/// A generator of unique names.
package struct UniqueNames {
  private var taken: Set<String>
  private let separator: String

  /// - Parameters:
  ///   - taken: The names that are taken already. The default is none.
  ///   - separator: The text between a name and its number. The default is
  ///     empty.
  package init(taken: Set<String> = [], separator: String = "") {
    self.taken = taken
    self.separator = separator
  }

  /// Returns a name, with a number at its end if the name is taken, and takes
  /// it.
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
  /// Returns whether a property in a schema may have a name.
  package static func allowsProperty(named name: String) -> Bool {
    let property = PropertySchema(name: name, type: .int)
    return StoreSchema(classes: [ClassSchema(name: "Row", properties: [property])]).problems.isEmpty
  }
}
