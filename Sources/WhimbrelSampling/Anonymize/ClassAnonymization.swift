internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelLMDB

/// Works through the objects of one class.
struct ClassAnonymization {
  private let table: ClassTable
  private var treatments: [PropertyTreatment]
  /// Whether every record is written anew: what has become nil may still be in its bytes.
  private let isRewriting: Bool

  init(_ table: ClassTable, _ treatments: [PropertyTreatment]) {
    self.table = table
    self.treatments = treatments
    isRewriting = treatments.contains(where: \.isChanging)
  }

  /// What an object's values become, or nil when its record stays as it is.
  mutating func changes(
    of record: PageBytes, _ id: ObjectID, _ replacement: ValueReplacement
  ) throws -> [StoreCopy.Change]? {
    var changes: [StoreCopy.Change] = []
    for index in treatments.indices {
      let position = treatments[index].position
      let value = try table.value(position, of: record, id)
      if value.isNull { continue }
      treatments[index].count += 1
      guard treatments[index].isChanging else { continue }
      let new: PropertyValue
      do throws(ValueReplacement.Collision) {
        new = try replacement.replacement(of: value, treatments[index])
      } catch {
        throw InspectionError.valuesBecameEqual(
          table.session.file.path,
          "two elements of property '\(table.resolved.properties[position].name)' of object "
            + "\(id) of class '\(table.name)'")
      }
      if new != value { changes.append(StoreCopy.Change(position, new)) }
    }
    return isRewriting ? changes : nil
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
