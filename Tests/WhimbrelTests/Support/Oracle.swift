import Foundation
import Testing
import Whimbrel

/// What a store of the random test has to hold, kept in plain dictionaries.
struct Oracle: Equatable {
  enum Kind: CaseIterable {
    case node, named, numbered, tagged
  }

  /// An object, whatever its values.
  struct Reference: Hashable {
    let kind: Kind
    let id: ObjectID
  }

  struct Entry: Equatable {
    var key: String
    var text: String
    var number = 0
    var links: [Reference?]
  }

  var entries: [Reference: Entry] = [:]

  /// Removes an object, and every link to it.
  mutating func remove(_ reference: Reference) {
    entries[reference] = nil
    for (other, entry) in entries where entry.links.contains(reference) {
      entries[other]?.links = entry.links.map { $0 == reference ? nil : $0 }
    }
  }

  mutating func removeAll(_ kind: Kind) {
    for reference in entries.keys where reference.kind == kind { remove(reference) }
  }

  /// What a store holds.
  init(of store: Store) {
    store.objects(Node.self).forEach { enter($0) }
    store.objects(Named.self).forEach { enter($0) }
    store.objects(Numbered.self).forEach { enter($0) }
    store.objects(Tagged.self).forEach { enter($0) }
  }

  init() {}

  mutating func enter(_ object: any Model) {
    guard let reference = Self.reference(object) else { return }
    entries[reference] = Self.entry(object)
  }

  static func reference(_ object: (any Model)?) -> Reference? {
    guard let object, let id = object.objectID else { return nil }
    let kind: Kind =
      switch object {
      case is Node: .node
      case is Named: .named
      case is Numbered: .numbered
      default: .tagged
      }
    return Reference(kind: kind, id: id)
  }

  /// The values of an object, managed or not.
  static func entry(_ object: any Model) -> Entry {
    switch object {
    case let node as Node:
      Entry(
        key: "", text: node.name,
        links: [reference(node.next), reference(node.other), reference(node.named)])
    case let named as Named:
      Entry(
        key: named.name, text: named.text ?? "nil", number: named.number,
        links: [reference(named.partner), reference(named.numbered)])
    case let numbered as Numbered:
      Entry(
        key: "\(numbered.number)", text: numbered.text,
        links: [reference(numbered.partner), reference(numbered.named)])
    case let tagged as Tagged:
      Entry(key: tagged.tag.uuidString, text: tagged.text, links: [reference(tagged.owner)])
    default:
      Entry(key: "?", text: "?", links: [])
    }
  }

  /// What another state has otherwise, in short.
  func differences(from other: Oracle) -> String {
    let references = Set(entries.keys).union(other.entries.keys)
    let different = references.filter { entries[$0] != other.entries[$0] }
    return different.prefix(3).map { reference in
      "\(reference): \(entries[reference].map { "\($0)" } ?? "missing") is expected to be "
        + "\(other.entries[reference].map { "\($0)" } ?? "missing")"
    }.joined(separator: "\n")
  }
}
