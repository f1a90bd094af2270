internal import WhimbrelEngine

/// Finds classes and properties of two stores that options name.
struct DiffNames {
  private let pairs: [ClassPair]
  private let renamedClasses: [String: String]

  init(_ pairs: [ClassPair], _ renamedClasses: [String: String]) {
    self.pairs = pairs
    self.renamedClasses = renamedClasses
  }

  /// The name that a class has in both stores.
  ///
  /// - Parameter name: the new name, or the old one.
  func sharedName(_ name: String) throws -> String {
    try pair(name).name
  }

  private func pair(_ name: String) throws -> ClassPair {
    let shared = renamedClasses[name] ?? name
    guard let pair = pairs.first(where: { $0.name == shared }) else {
      throw StoreError.unknownClass(class: name, known: pairs.map(\.name))
    }
    return pair
  }

  /// The properties that texts as `Zone.comments` name, by class.
  func ignored(_ texts: [String]) throws -> [String: Set<String>] {
    var ignored: [String: Set<String>] = [:]
    for text in texts {
      let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw InspectionError.badArgument(
          text, "it is no class and property", "Write it as 'Zone.comments'.")
      }
      let pair = try pair(parts[0])
      let known = [pair.old, pair.new].compactMap { $0?.resolved.properties.map(\.name) }
        .flatMap(\.self)
      guard known.contains(parts[1]) else {
        throw StoreError.unknownProperty(
          class: pair.name, property: parts[1], known: Set(known).sorted())
      }
      ignored[pair.name, default: []].insert(parts[1])
    }
    return ignored
  }
}
