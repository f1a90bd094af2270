import WhimbrelEngine
import WhimbrelTestSupport

/// Random indexes of several properties, unique and full-text ones.
extension MigrationModel {
  /// Up to three indexes that a class with some properties may have. In unique ones there is
  /// the tag, of which each object has its own in most tests.
  static func indexes(
    of properties: [PropertySchema], using generator: inout SeededGenerator
  ) -> [IndexSchema] {
    let names = properties.filter(\.type.canBeIndexed).map(\.name)
    var indexes: Set<IndexSchema> = []
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let chosen = Array(names.shuffled(using: &generator).prefix(generator.once(in: 2) ? 2 : 3))
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        let texts = properties.filter { $0.type == .string }
        if let text = texts.randomElement(using: &generator) {
          indexes.insert(IndexSchema([text.name], .fullText))
        }
      case 1: indexes.insert(IndexSchema(chosen.filter { $0 != "tag" } + ["tag"], .unique))
      default: indexes.insert(IndexSchema(chosen))
      }
    }
    return indexes.filter { isAllowed($0, properties) }
  }

  /// The indexes of a class that another shape of it can have, under the new names.
  static func keptIndexes(
    of old: ClassSchema, by properties: [PropertySchema]
  ) -> [IndexSchema] {
    let matching = PropertyMatching(
      from: old, to: ClassSchema(name: old.name, properties: properties))
    return old.indexes.compactMap { index in
      let names = index.properties.compactMap { matching.newNames[$0] }
      let kept = IndexSchema(names, index.kind)
      return names.count == index.properties.count && isAllowed(kept, properties) ? kept : nil
    }
  }

  private static func isAllowed(_ index: IndexSchema, _ properties: [PropertySchema]) -> Bool {
    let found = index.properties.compactMap { name in properties.first { $0.name == name } }
    return switch index.kind {
    case .ordered: found.count > 1 && found.allSatisfy(\.type.canBeIndexed)
    case .unique:
      found.allSatisfy(\.type.canBeIndexed) && (found.count > 1 || !found[0].isPrimaryKey)
    case .fullText: found.allSatisfy { $0.type == .string }
    }
  }
}
