package import Foundation

extension DynamicObject: CustomStringConvertible {
  /// The class and the properties on one line: `Country(code: "AD", name: "Andorra")`.
  ///
  /// Linked objects are shown by their primary keys, embedded objects with their properties. Long
  /// values are shortened. Values that cannot be read are shown as damaged, and a deleted object as
  /// deleted.
  public var description: String { printed() }

  /// Returns the description, with words for data where they say more than its byte count.
  package func printed(_ words: PrintedObject.DataWords? = nil) -> String {
    PrintedObject(self, words: words).full
  }

  /// The class and the primary key: `Country("AD")`.
  package var printedName: String { PrintedObject(self, words: nil).name }
}

/// An object as it is printed for people.
package struct PrintedObject {
  /// A function that describes the data of a property, or returns nil to show its byte count.
  package typealias DataWords = (_ className: String, _ property: String, Data) -> String?

  private let object: DynamicObject
  private let words: DataWords?
  private let depth: Int

  /// The limit for embedded objects inside each other that are shown.
  package static let depthLimit = 3

  init(_ object: DynamicObject, words: DataWords?, depth: Int = 0) {
    self.object = object
    self.words = words
    self.depth = depth
  }

  private var resolved: ResolvedClass { object.source.resolved }
  private var source: any DynamicSource { object.source }

  /// The class and the properties.
  var full: String {
    var parts: [String] = []
    if resolved.primaryKeyIndex == nil, !resolved.isEmbedded { parts = ["object \(object.id)"] }
    do {
      for (position, property) in resolved.properties.enumerated() {
        parts.append("\(property.name): \(try text(of: position))")
      }
    } catch {
      return "\(resolved.name)(\(plainKey): \(Self.state(after: error)))"
    }
    return "\(resolved.name)(\(parts.joined(separator: ", ")))"
  }

  /// The class and the primary key.
  var name: String {
    guard let position = resolved.primaryKeyIndex,
      let key = try? source.value(position, of: object.id), !key.isNull
    else { return "\(resolved.name)(\(plainKey))" }
    return "\(resolved.name)(\(key.printed()))"
  }

  /// The identification of the object that needs no read.
  private var plainKey: String {
    resolved.isClustered ? "\(object.id.clusteredKey)" : "object \(object.id)"
  }

  /// Returns why an object as a whole cannot be read.
  private static func state(after error: any Error) -> String {
    switch (error as? StoreError)?.code {
    case .objectDeleted, .unknownClass: "deleted"
    case .storeClosed: "its store is closed"
    case .notInWrite: "its migration is over"
    default: "damaged"
    }
  }

  /// Returns the text of a property's value.
  ///
  /// - Throws: ``StoreError`` if the object as a whole cannot be read.
  private func text(of position: Int) throws -> String {
    let property = resolved.properties[position]
    do {
      if property.type.elementType != nil { return try elements(of: position) }
      return text(try source.value(position, of: object.id), property)
    } catch let error as StoreError where Self.state(after: error) != "damaged" {
      throw error
    } catch {
      return "(damaged)"
    }
  }

  private func text(_ value: PropertyValue, _ property: CatalogProperty) -> String {
    if case .data(let data) = value, let text = words?(resolved.name, property.name, data) {
      return text
    }
    return value.printed { link($0, property) }
  }

  private func elements(of position: Int) throws -> String {
    let property = resolved.properties[position]
    var isMap = false
    if case .map = property.type { isMap = true }
    var count = 0
    var names: [String] = []
    var values: [PropertyValue] = []
    // Reads all elements before the linked objects: reading an object can invalidate the reader.
    try source.read(position, of: object.id) { reader in
      count = reader.count
      for element in 0..<min(count, PrintedValue.elementLimit) {
        values.append(try reader.value(at: element))
        if isMap { names.append(try reader.name(at: element)) }
      }
    }
    let shown = values.map { $0.printed { link($0, property) } }
    return isMap
      ? PrintedValue.entries(Array(zip(names, shown)), of: count)
      : PrintedValue.elements(shown, of: count)
  }

  /// Returns the text of a linked or embedded object.
  private func link(_ value: PropertyValue, _ property: CatalogProperty) -> String {
    guard let target = try? source.object(value, of: property, class: resolved.name) else {
      return value.printed()
    }
    guard target.source.resolved.isEmbedded else { return target.printedName }
    guard depth < Self.depthLimit else { return "\(target.className)(…)" }
    return PrintedObject(target, words: words, depth: depth + 1).full
  }
}
