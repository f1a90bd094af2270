public import Foundation
internal import WhimbrelEngine

extension ObjectView {
  /// The object as JSON in one line, without a line break at the end.
  ///
  /// ```json
  /// {"class":"Zone","id":17,"key":"Europe/Andorra","name":"Europe/Andorra","values":{"latitude":42.5,
  ///  "country":{"class":"Country","id":6,"key":"AD","name":"AD"},
  ///  "aliases":{"count":20,"elements":["a"]}},"linkedFrom":[{"class":"Country","property":"capital","count":1,"objects":[…]}]}
  /// ```
  /// Join objects by their `class` and `key`; one of a class without primary key has only its `id`.
  /// An object that is not looked into has no `values`; `linkedFrom` is there only in the
  /// object that was asked for, and may be empty. Lists and sets are an object with their
  /// `count` and their first `elements` as an array; those of a map are an object. Other
  /// values are as in a dump, see ``StoreDump``; where a property is of any type, they are
  /// as if it were of theirs.
  public func json() -> Data {
    var writer = JSONWriter()
    writer.append(self, .asked)
    return Data(writer.bytes)
  }
}

extension JSONWriter {
  fileprivate enum Place {
    case asked, inside
  }

  fileprivate mutating func append(_ view: ObjectView, _ place: Place) {
    append(raw: #"{"class":"#)
    append(view.className)
    append(raw: #","id":"#)
    append(exact: view.id.rawValue)
    if let key = view.key {
      append(name: "key")
      append(key)
    }
    append(name: "name")
    append(view.name)
    if let properties = view.properties {
      append(name: "values")
      append(properties, "{", "}") { writer, property in
        writer.append(name: property.name)
        writer.append(property.value)
      }
    }
    if place == .asked {
      append(name: "linkedFrom")
      append(view.incoming, "[", "]") { writer, incoming in writer.append(incoming) }
    }
    append(raw: "}")
  }

  private mutating func append(_ incoming: ObjectView.Incoming) {
    append(raw: #"{"class":"#)
    append(incoming.className)
    append(raw: #","property":"#)
    append(incoming.property)
    append(raw: #","count":"#)
    append(incoming.count)
    append(raw: #","objects":"#)
    append(incoming.objects, "[", "]}") { writer, view in writer.append(view, .inside) }
  }

  private mutating func append(_ value: ObjectView.Value) {
    switch value {
    case .value(let value): append(value)
    case .object(let view): append(view, .inside)
    case .collection(let collection):
      append(raw: #"{"count":"#)
      append(collection.count)
      append(raw: #","elements":"#)
      let (start, end): (StaticString, StaticString) =
        collection.kind == .map ? ("{", "}}") : ("[", "]}")
      append(collection.elements, start, end) { writer, element in
        if let name = element.name { writer.append(name: name) }
        writer.append(element.value)
      }
    }
  }
}
