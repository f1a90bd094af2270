public import Foundation
internal import WhimbrelEngine

extension ObjectView {
  /// Returns the object as JSON in one line, without a line end.
  ///
  /// ```json
  /// {"class":"Zone","id":17,"key":"Europe/Andorra","name":"Europe/Andorra",
  ///  "values":{"latitude":42.5,"country":{"class":"Country","id":6,"key":"AD","name":"AD"},
  ///  "aliases":{"count":20,"elements":["a"]}},
  ///  "linkedFrom":[{"class":"Country","property":"capital","count":1,"objects":[…]}]}
  /// ```
  ///
  /// Match objects by `class` and `key`. An object of a class without a primary key has only an
  /// `id`. An object that is only named has no `values`. An object that is not yet converted has
  /// its `version` and the values of that version. `linkedFrom` exists only in the requested
  /// object, and may be empty. Lists and sets are an object with their `count` and their first
  /// `elements` in an array; the elements of a map are an object. Other values are written as in a
  /// dump, see ``StoreDump``. Values in a property of any type are written as if the property had
  /// their own type.
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
    append("id", exact: view.id.rawValue)
    append("key", view.key)
    append("name", view.name)
    append("version", exact: view.version)
    append("values", view.properties) { writer, properties in
      writer.append(properties, "{", "}") { writer, property in
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
    append("property", incoming.property)
    append("count", incoming.count)
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
