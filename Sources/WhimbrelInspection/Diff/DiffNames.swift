internal import WhimbrelEngine

/// A resolver of the names of classes and properties in options.
struct DiffNames {
  private let pairs: [ClassPair]
  private let renamedClasses: [String: String]

  init(_ pairs: [ClassPair], _ renamedClasses: [String: String]) {
    self.pairs = pairs
    self.renamedClasses = renamedClasses
  }

  /// Returns the shared name of a class.
  ///
  /// - Parameter name: The new name or the old name.
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

  /// Returns the properties named by texts such as `Zone.comments`, by class.
  func ignored(_ texts: [String]) throws -> [String: Set<String>] {
    var ignored: [String: Set<String>] = [:]
    for text in texts {
      let classes = pairs.map(\.name) + renamedClasses.keys
      guard let name = QualifiedName(text, among: classes) else {
        throw InspectionError.badArgument(
          text, "it is not a class and a property", "Write it as 'Zone.comments'.")
      }
      let pair = try pair(name.first)
      let known = [pair.old, pair.new].compactMap { $0?.resolved.properties.map(\.name) }
        .flatMap(\.self)
      let property = name.second(among: known)
      guard known.contains(property) else {
        throw StoreError.unknownProperty(
          class: pair.name, property: property, known: Set(known).sorted())
      }
      ignored[pair.name, default: []].insert(property)
    }
    return ignored
  }
}
