extension ClassSchema {
  /// The problems of the indexes of the class, one sentence each.
  var indexProblems: [String] {
    var problems: [String] = []
    var seen: Set<IndexSchema> = []
    for index in indexes {
      let subject = "The \(index) of class \(Sentence.quoted(name))"
      if !seen.insert(index).inserted { problems.append("\(subject) is declared twice.") }
      problems += problem(of: index).map { "\(subject) \($0)" }
    }
    return problems
  }

  /// Returns the problems of one index, as ends of sentences.
  private func problem(of index: IndexSchema) -> [String] {
    if index.properties.isEmpty { return ["does not name a property."] }
    if index.properties.count > IndexSchema.propertyLimit {
      return [
        "has \(index.properties.count) properties and at most \(IndexSchema.propertyLimit) are allowed."
      ]
    }
    var problems: [String] = []
    for (position, name) in index.properties.enumerated() {
      if index.properties[..<position].contains(name) {
        problems.append("names \(Sentence.quoted(name)) twice.")
      } else if let property = self[name] {
        problems += problem(of: property, in: index)
      } else {
        let known = Spelling.closest(to: name, among: properties.map(\.name))
        let hint = known.map { " Did you mean \(Sentence.quoted($0))?" } ?? ""
        problems.append("names \(Sentence.quoted(name)), which is not a property.\(hint)")
      }
    }
    if index.kind == .fullText, index.properties.count > 1 {
      problems.append("has several properties: declare one for each of them instead.")
    }
    if index.kind == .ordered, index.properties.count == 1 {
      problems.append("has only one property: mark the property '@Indexed' instead.")
    }
    return problems
  }

  private func problem(of property: PropertySchema, in index: IndexSchema) -> [String] {
    let type =
      "\(Sentence.quoted(property.name)) of type \(Sentence.quoted(property.type.description))"
    if index.kind == .fullText {
      return property.type == .string ? [] : ["cannot hold \(type): only text has words."]
    }
    if !property.type.canBeIndexed { return ["cannot hold \(type)."] }
    if property.isPrimaryKey, index.kind == .unique, index.properties.count == 1 {
      return ["is not needed: the primary key is always unique."]
    }
    return []
  }
}
