internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Works through the objects of one class.
struct ClassAnonymization {
  private let table: ClassTable
  private var treatments: [PropertyTreatment]
  /// Whether every record has to be written anew, because there may be something in it that is
  /// not to get into the new store.
  private let isRewriting: Bool

  init(_ table: ClassTable, _ treatments: [PropertyTreatment]) throws {
    self.table = table
    self.treatments = treatments
    let properties = Set(table.resolved.properties.map(\.id))
    let hasRemoved = table.resolved.entry.layouts.contains { layout in
      layout.fields.contains { !properties.contains($0.property) }
    }
    isRewriting = hasRemoved || treatments.contains(where: \.isChanging)
    if hasRemoved, properties.isEmpty, try table.count() > 0 {
      throw InspectionError.cannotRewrite(table.session.file.path, class: table.name)
    }
  }

  /// What an object's values become. There is one at least when its record has to be written anew.
  mutating func changes(
    of record: PageBytes, _ id: ObjectID, _ replacement: ObjectReplacement
  ) throws -> [StoreCopy.Change] {
    let layout = try table.layout(of: record, id)
    var changes: [StoreCopy.Change] = []
    for index in treatments.indices {
      let position = treatments[index].position
      let type = table.resolved.properties[position].type
      let value = try table.value(position, of: record, id)
      if value.isNull { continue }
      treatments[index].count += 1
      guard treatments[index].isChanging else { continue }
      let new: PropertyValue
      do throws(ValueReplacement.Collision) {
        new = try replacement.replacement(of: value, type, treatments[index])
      } catch {
        throw InspectionError.valuesBecameEqual(
          table.session.file.path,
          "two elements of property '\(table.resolved.properties[position].name)' of object "
            + "\(id) of class '\(table.name)'")
      }
      if new != value { changes.append(StoreCopy.Change(position, new)) }
    }
    if changes.isEmpty, isRewriting {
      changes.append(try unchanged(of: record, id, layout))
    }
    return changes
  }

  /// A change that is none, of a property that the record has, if it has any.
  private func unchanged(
    of record: PageBytes, _ id: ObjectID, _ layout: ResolvedLayout
  ) throws -> StoreCopy.Change {
    let stored = Set(layout.layout.fields.map(\.property))
    let position =
      table.resolved.properties.firstIndex { stored.contains($0.id) }
      ?? table.resolved.properties.startIndex
    return StoreCopy.Change(position, try table.value(position, of: record, id))
  }

  /// What was done to each property.
  var summary: [AnonymizationSummary.Property] {
    treatments.map { treatment in
      let property = table.resolved.properties[treatment.position]
      return AnonymizationSummary.Property(
        className: table.name, name: property.name, type: property.type.description,
        treatment: treatment.treatment, values: treatment.count)
    }
  }
}
