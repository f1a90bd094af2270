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
    if index.properties.isEmpty { return ["names no property."] }
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
        problems.append("names \(Sentence.quoted(name)), which is no property.\(hint)")
      }
    }
    if index.kind == .fullText, index.properties.count > 1 {
      problems.append("is of several properties: each needs one of its own.")
    }
    if index.kind == .ordered, index.properties.count == 1 {
      problems.append("is that of one property: mark it '@Indexed' instead.")
    }
    return problems
  }

  private func problem(of property: PropertySchema, in index: IndexSchema) -> [String] {
    let type =
      "\(Sentence.quoted(property.name)) of type \(Sentence.quoted(property.type.description))"
    if index.kind == .fullText {
      return property.type == .string ? [] : ["cannot be of \(type): only text has words."]
    }
    if !property.type.canBeIndexed { return ["cannot have \(type)."] }
    if property.isPrimaryKey, index.kind == .unique, index.properties.count == 1 {
      return ["is of the primary key, which is unique anyway."]
    }
    return []
  }
}
