import Whimbrel

/// A model of the walk, whose values are read by its Swift properties.
protocol WalkModel: Model {
  /// The stored properties by name.
  var typedValues: [String: PropertyValue] { get }
  /// What links to the object, by class and property.
  var inverses: [(className: String, property: String, ids: [ObjectID])] { get }
}

extension WalkModel {
  var inverses: [(className: String, property: String, ids: [ObjectID])] { [] }
}

extension Walk.Scalars: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "bool": bool.propertyValue,
      "int": int.propertyValue,
      "int8": int8.propertyValue,
      "int16": int16.propertyValue,
      "int32": int32.propertyValue,
      "int64": int64.propertyValue,
      "uint8": uint8.propertyValue,
      "uint16": uint16.propertyValue,
      "uint32": uint32.propertyValue,
      "float": float.propertyValue,
      "double": double.propertyValue,
      "string": string.propertyValue,
      "data": data.propertyValue,
      "date": date.propertyValue,
      "uuid": uuid.propertyValue,
      "decimal": decimal.propertyValue,
      "objectId": objectId.propertyValue,
      "level": level.propertyValue,
      "season": season.propertyValue,
      "optionalBool": optionalBool.propertyValue,
      "optionalInt": optionalInt.propertyValue,
      "optionalInt8": optionalInt8.propertyValue,
      "optionalInt16": optionalInt16.propertyValue,
      "optionalInt32": optionalInt32.propertyValue,
      "optionalUInt8": optionalUInt8.propertyValue,
      "optionalUInt16": optionalUInt16.propertyValue,
      "optionalUInt32": optionalUInt32.propertyValue,
      "optionalFloat": optionalFloat.propertyValue,
      "optionalDouble": optionalDouble.propertyValue,
      "optionalString": optionalString.propertyValue,
      "optionalData": optionalData.propertyValue,
      "optionalDate": optionalDate.propertyValue,
      "optionalUUID": optionalUUID.propertyValue,
      "optionalDecimal": optionalDecimal.propertyValue,
      "optionalObjectId": optionalObjectId.propertyValue,
      "optionalLevel": optionalLevel.propertyValue,
      "optionalSeason": optionalSeason.propertyValue,
    ]
  }
}

extension Walk.Scalars {
  /// What sets a property, by its name.
  static var setters: [String: (Walk.Scalars, PropertyValue) -> Void] {
    [
      "bool": setter(\.bool),
      "int": setter(\.int),
      "int8": setter(\.int8),
      "int16": setter(\.int16),
      "int32": setter(\.int32),
      "int64": setter(\.int64),
      "uint8": setter(\.uint8),
      "uint16": setter(\.uint16),
      "uint32": setter(\.uint32),
      "float": setter(\.float),
      "double": setter(\.double),
      "string": setter(\.string),
      "data": setter(\.data),
      "date": setter(\.date),
      "uuid": setter(\.uuid),
      "decimal": setter(\.decimal),
      "objectId": setter(\.objectId),
      "level": setter(\.level),
      "season": setter(\.season),
      "optionalBool": setter(\.optionalBool),
      "optionalInt": setter(\.optionalInt),
      "optionalInt8": setter(\.optionalInt8),
      "optionalInt16": setter(\.optionalInt16),
      "optionalInt32": setter(\.optionalInt32),
      "optionalUInt8": setter(\.optionalUInt8),
      "optionalUInt16": setter(\.optionalUInt16),
      "optionalUInt32": setter(\.optionalUInt32),
      "optionalFloat": setter(\.optionalFloat),
      "optionalDouble": setter(\.optionalDouble),
      "optionalString": setter(\.optionalString),
      "optionalData": setter(\.optionalData),
      "optionalDate": setter(\.optionalDate),
      "optionalUUID": setter(\.optionalUUID),
      "optionalDecimal": setter(\.optionalDecimal),
      "optionalObjectId": setter(\.optionalObjectId),
      "optionalLevel": setter(\.optionalLevel),
      "optionalSeason": setter(\.optionalSeason),
    ]
  }

  private static func setter<Value: Persistable>(
    _ path: ReferenceWritableKeyPath<Walk.Scalars, Value>
  ) -> (Walk.Scalars, PropertyValue) -> Void {
    { object, value in
      if let value = Value(propertyValue: value) { object[keyPath: path] = value }
    }
  }
}

extension Walk.Hub: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "name": name.propertyValue,
      "next": next.propertyValue,
      "named": named.propertyValue,
      "any": any.propertyValue,
      "list": list.propertyValue,
      "set": set.propertyValue,
      "map": map.propertyValue,
      "part": part.propertyValue,
      "other": other.propertyValue,
      "parts": parts.propertyValue,
      "partsByName": partsByName.propertyValue,
    ]
  }

  var inverses: [(className: String, property: String, ids: [ObjectID])] {
    [
      ("Hub", "next", before.compactMap(\.objectID)),
      ("Hub", "list", listing.compactMap(\.objectID)),
    ]
  }
}

extension Walk.Named: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "name": name.propertyValue,
      "number": number.propertyValue,
      "text": text.propertyValue,
      "partner": partner.propertyValue,
      "numbered": numbered.propertyValue,
    ]
  }

  var inverses: [(className: String, property: String, ids: [ObjectID])] {
    [
      ("Hub", "set", hubs.compactMap(\.objectID)),
      ("Hub", "named", namedBy.compactMap(\.objectID)),
    ]
  }
}

extension Walk.Numbered: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "number": number.propertyValue,
      "text": text.propertyValue,
      "partner": partner.propertyValue,
      "set": set.propertyValue,
      "part": part.propertyValue,
    ]
  }

  var inverses: [(className: String, property: String, ids: [ObjectID])] {
    [
      ("Named", "numbered", names.compactMap(\.objectID))
    ]
  }
}

extension Walk.Tagged: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "tag": tag.propertyValue,
      "text": text.propertyValue,
      "owner": owner.propertyValue,
      "owners": owners.propertyValue,
      "any": any.propertyValue,
    ]
  }
}

extension Walk.Marked: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "mark": mark.propertyValue,
      "any": any.propertyValue,
      "list": list.propertyValue,
      "set": set.propertyValue,
      "map": map.propertyValue,
    ]
  }
}

extension Walk.Bag: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "ints": ints.propertyValue,
      "optionalInts": optionalInts.propertyValue,
      "bools": bools.propertyValue,
      "strings": strings.propertyValue,
      "datas": datas.propertyValue,
      "seasons": seasons.propertyValue,
      "smallInts": smallInts.propertyValue,
      "optionalStrings": optionalStrings.propertyValue,
      "doubles": doubles.propertyValue,
      "optionalFloats": optionalFloats.propertyValue,
      "dataSet": dataSet.propertyValue,
      "dates": dates.propertyValue,
      "decimals": decimals.propertyValue,
      "uuids": uuids.propertyValue,
      "numbers": numbers.propertyValue,
      "optionalDecimals": optionalDecimals.propertyValue,
      "texts": texts.propertyValue,
      "identifiers": identifiers.propertyValue,
      "levels": levels.propertyValue,
    ]
  }
}

extension Walk.Part: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "name": name.propertyValue,
      "data": data.propertyValue,
      "next": next.propertyValue,
      "leaf": leaf.propertyValue,
      "target": target.propertyValue,
      "targets": targets.propertyValue,
    ]
  }

  var inverses: [(className: String, property: String, ids: [ObjectID])] {
    [
      ("Hub", "parts", hubs.compactMap(\.objectID))
    ]
  }
}

extension Walk.Leaf: WalkModel {
  var typedValues: [String: PropertyValue] {
    [
      "number": number.propertyValue,
      "leaves": leaves.propertyValue,
      "any": any.propertyValue,
    ]
  }
}
