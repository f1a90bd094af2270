internal import Foundation
internal import WhimbrelEngine

extension Model {
  /// Writes the class and the properties on one line, as `print` shows objects:
  /// `Country(code: "AD", name: "Andorra")`.
  ///
  /// Objects that it links to are shown by their primary keys, embedded objects with their
  /// properties, and of a collection the first elements. Long values are shortened. What cannot
  /// be read is called damaged; a deleted object says so. A model that is
  /// `CustomStringConvertible` is shown as its `description`.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write((self as? any CustomStringConvertible)?.description ?? printed)
  }

  /// The class and the properties.
  private var printed: String {
    guard let session = _$row.session else { return PrintedModel(self).full }
    let className = _$row.table?.name ?? Self._$schema.name
    guard let objects = try? StoredObjects(session, className) else {
      return "\(className)(object \(_$row.id))"
    }
    return objects.object(_$row.id).printed(session.dataWords)
  }

  /// The class and the primary key: `Country("AD")`.
  var printedName: String {
    guard let session = _$row.session else { return PrintedModel(self).name }
    let className = _$row.table?.name ?? Self._$schema.name
    guard let objects = try? StoredObjects(session, className) else {
      return "\(className)(object \(_$row.id))"
    }
    return objects.object(_$row.id).printedName
  }
}

extension Session {
  /// The JSON of `PersistableCodable`s.
  var dataWords: PrintedObject.DataWords? {
    guard let registry = modelTypes as? ModelRegistry else { return nil }
    return { className, property, data in
      guard let schema = registry.types[className]?._$schema,
        schema.property(property)?.isJSON == true
      else { return nil }
      return PrintedValue.text(String(decoding: data, as: UTF8.self))
    }
  }
}

extension ModelProperty {
  /// Whether the data that is stored is that of a `PersistableCodable`.
  fileprivate var isJSON: Bool {
    let type = (valueType as? any AnyOptional.Type)?.contentType ?? valueType
    return type is any PersistableCodable.Type
  }
}

/// An object that is in no store, as people see it who print it.
private struct PrintedModel {
  private let object: any Model
  private let depth: Int

  init(_ object: any Model, depth: Int = 0) {
    self.object = object
    self.depth = depth
  }

  private var schema: ModelSchema { type(of: object)._$schema }

  /// The class and the properties.
  var full: String {
    let values = (try? object.unmanagedValues()) ?? [:]
    let parts = schema.properties.enumerated().map { index, property in
      "\(property.name): \(values[index].map(text) ?? "(not set)")"
    }
    return "\(schema.name)(\(parts.joined(separator: ", ")))"
  }

  /// The class and the primary key.
  var name: String {
    let values = (try? object.unmanagedValues()) ?? [:]
    let key = schema.classSchema.primaryKey?.name
    let index = schema.properties.firstIndex { $0.name == key }
    return "\(schema.name)(\(index.flatMap { values[$0] }.map(text) ?? "…"))"
  }

  private func text(_ value: Any) -> String {
    guard let value = flattened(value) else { return "nil" }
    switch value {
    case let object as any Model: return text(object)
    case let value as AnyValue: return value.description
    case let value as any PersistableCodable:
      return PrintedValue.text(String(decoding: value.persistableValue, as: UTF8.self))
    case let value as any MapEntries:
      let entries = value.entries
      let shown = entries.keys.sorted().prefix(PrintedValue.elementLimit)
      return PrintedValue.entries(
        shown.map { ($0, text(entries[$0] ?? PropertyValue.null)) }, of: entries.count)
    case let value as any CodableElements:
      let elements = value.elements
      let shown = elements.prefix(PrintedValue.elementLimit)
      return PrintedValue.elements(shown.map(text), of: elements.count)
    case let value as any Persistable: return value.propertyValue.printed()
    default: return "(\(type(of: value)))"
    }
  }

  private func text(_ object: any Model) -> String {
    guard type(of: object)._$schema.classSchema.isEmbedded else { return object.printedName }
    if object.isManaged { return "\(object)" }
    guard depth < PrintedObject.depthLimit else { return "\(type(of: object)._$schema.name)(…)" }
    return PrintedModel(object, depth: depth + 1).full
  }
}
