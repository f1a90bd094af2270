import WhimbrelEngine

/// Puts packages into a store.
struct DebianFilling {
  private let packages, sections, maintainers: ClassTable

  init(_ session: Session) throws {
    packages = try session.table("Package")
    sections = try session.table("Section")
    maintainers = try session.table("Maintainer")
  }

  /// Adds packages and their links, and returns how many links these are.
  func add(_ all: [DebianPackage]) throws -> Int {
    var sectionIDs: [String: ObjectID] = [:]
    var maintainerIDs: [String: ObjectID] = [:]
    var packageIDs: [String: ObjectID] = [:]
    var ids: [ObjectID] = []
    for package in all {
      var values = values(of: package)
      if let name = package.fields["Section"] {
        let id = try sectionIDs[name] ?? add(["name": .string(name)], to: sections)
        sectionIDs[name] = id
        values["section"] = .link(id)
      }
      if let contact = package.fields["Maintainer"] {
        let id = try maintainerIDs[contact] ?? addMaintainer(contact, package)
        maintainerIDs[contact] = id
        values["maintainer"] = .link(id)
      }
      let id = try add(values, to: packages)
      ids.append(id)
      packageIDs[package.name] = id
    }
    var links = 0
    for (package, id) in zip(all, ids) {
      links += (package.fields["Section"] == nil ? 0 : 1) + (package.address == nil ? 0 : 1)
      for (property, field) in [
        ("depends", "Depends"), ("recommends", "Recommends"), ("suggests", "Suggests"),
      ] {
        let targets = package.names(of: field).compactMap { packageIDs[$0] }
        if targets.isEmpty { continue }
        links += targets.count
        let position = try packages.resolved.requiredPosition(of: property)
        try packages.update(id) { encoder throws in
          try encoder.set(position, .list(targets.map(PropertyValue.link)))
        }
      }
    }
    return links
  }

  private func add(_ values: [String: PropertyValue], to table: ClassTable) throws -> ObjectID {
    try table.create(values, replacing: false)
  }

  private func addMaintainer(_ contact: String, _ package: DebianPackage) throws -> ObjectID {
    let name = contact.prefix { $0 != "<" }
    return try add(
      [
        "contact": .string(contact), "name": .string(String(name.dropLast(name.isEmpty ? 0 : 1))),
        "address": package.address.map(PropertyValue.string) ?? .null,
      ], to: maintainers)
  }

  private func values(of package: DebianPackage) -> [String: PropertyValue] {
    func text(_ field: String) -> String { package.fields[field] ?? "" }
    let priority = text("Priority")
    let tags = text("Tag").split { $0 == "," || $0 == " " }
    return [
      "key": .string(package.key), "name": .string(package.name),
      "version": .string(text("Version")),
      "priority": .string(DebianPackage.priorities.contains(priority) ? priority : "extra"),
      "size": .int(Int64(text("Size")) ?? 0), "summary": .string(text("Description")),
      "homepage": package.fields["Homepage"].map(PropertyValue.string) ?? .null,
      "tags": .list(Set(tags).map { .string(String($0)) }),
    ]
  }
}
