internal import Foundation
internal import WhimbrelEngine

extension Model {
  /// Writes the class and the properties on one line. `print` uses it:
  /// `Country(code: "AD", name: "Andorra")`.
  ///
  /// A linked object appears as its primary key, an embedded object with its properties, and a
  /// collection with its first elements. Long values are shortened. A value that cannot be read
  /// appears as damaged, and a deleted object as deleted. A model that conforms to
  /// `CustomStringConvertible` appears as its `description`.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write((self as? any CustomStringConvertible)?.description ?? printed)
  }

  private var printed: String {
    guard let session = _$row.session else { return PrintedModel(self).full }
    guard let table = _$row.table else { return "\(Self._$schema.name)(object \(_$row.id))" }
    return StoredObjects(session, table).object(_$row.id).printed(session.dataWords)
  }

  /// The class and the primary key: `Country("AD")`.
  var printedName: String {
    guard let session = _$row.session else { return PrintedModel(self).name }
    guard let table = _$row.table else { return "\(Self._$schema.name)(object \(_$row.id))" }
    return StoredObjects(session, table).object(_$row.id).printedName
  }
}

extension Session {
  /// The function that prints the data of a `PersistableCodable` as its JSON.
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
  /// Whether the property stores a `PersistableCodable`, whose data is JSON.
  fileprivate var isJSON: Bool {
    let type = (valueType as? any AnyOptional.Type)?.contentType ?? valueType
    return type is any PersistableCodable.Type
  }
}

/// The description of an unmanaged object.
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
    guard type(of: object)._$schema.isEmbedded else { return object.printedName }
    if object.isManaged { return "\(object)" }
    guard depth < PrintedObject.depthLimit else { return "\(type(of: object)._$schema.name)(…)" }
    return PrintedModel(object, depth: depth + 1).full
  }
}
