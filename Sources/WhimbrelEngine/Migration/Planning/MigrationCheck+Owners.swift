internal import WhimbrelLMDB

extension MigrationCheck {
  /// Returns what becomes of embedded objects, or nil if they stay as they are.
  func ownershipForecast() throws -> OwnershipForecast? {
    guard classes.contains(where: { $0.isEmbedded && mayLoseOwners($0) }) else { return nil }
    return try OwnershipForecast(self)
  }

  /// Finds embedded objects that have no owner, have several, or own themselves.
  func checkOwners(_ forecast: OwnershipForecast) throws {
    for entry in classes {
      try forecast.forEachFinding(of: entry) { id, rule in
        try report(rule, id, of: entry, nil, nil)
      }
    }
  }

  /// Finds values of any type that link to objects that become embedded.
  func checkReferences() throws {
    try forEachReferenceToEmbedded { entry, id, property, target, record in
      guard let other = classes.first(where: { $0.draft.id == target.classID }) else { return }
      let key = try other.old.primaryKeyIndex.flatMap { position in
        try self.record(target.id, of: other)?.value(position)
      }
      let place = Sentence.object(target.id, key)
      try report(
        .reference, id, of: entry, property,
        .string("\(place) of \(Sentence.quoted(other.draft.name))"), record)
    }
  }

  /// Calls `body` with each value of any type that links to an object that becomes embedded.
  func forEachReferenceToEmbedded(
    _ body: (CheckedClass, ObjectID, String, ObjectReference, CheckedRecord) throws -> Void
  ) throws {
    let targets = Set(
      classes.filter { $0.isEmbedded && !$0.old.isEmbedded }.map(\.draft.id))
    guard !targets.isEmpty else { return }
    for entry in classes {
      let open = entry.openLinks
      if open.isEmpty { continue }
      try forEachObject(of: entry) { id, record in
        for (name, value) in open {
          let new = try value.value(of: record, classID) ?? .null
          for case .reference(let target) in new.linkTargets where targets.contains(target.classID)
          {
            try body(entry, id, name, target, record)
          }
        }
      }
    }
  }

  /// Returns whether the class becomes embedded, or links that led to it are gone.
  private func mayLoseOwners(_ entry: CheckedClass) -> Bool {
    if !entry.old.isEmbedded { return true }
    return classes.contains { source in
      let all = source.old.links.filter {
        source.old.properties[$0].type.linkedClass == entry.old.name
      }
      return all.count > source.keptLinks(to: entry.old.name).count
    }
  }
}

extension CheckedClass {
  /// Returns the positions of the old properties that link to a class and that stay.
  fileprivate func keptLinks(to target: String) -> [Int] {
    old.links.filter { position in
      let property = old.properties[position]
      return property.type.linkedClass == target
        && draft.properties.contains { $0.old?.id == property.id && $0.origin != .code }
    }
  }

  /// The properties whose values of any type stay.
  fileprivate var openLinks: [(name: String, value: NewValue)] {
    draft.properties.compactMap { property in
      guard let before = property.old, property.origin != .code, before.type.holdsLinks,
        before.type.linkedClass == nil
      else { return nil }
      return (property.new.name, NewValue(property, in: old))
    }
  }
}
