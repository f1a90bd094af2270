/// The text of `whimbrel help schema.json`, which describes a schema file.
enum SchemaFormatHelp {
  /// The arguments that print the text.
  static let arguments = ["help", "schema.json"]

  static let text = """
    SCHEMA.JSON

    The classes of a store as a file: what 'whimbrel schema --json' writes, and what '--schema',
    'plan' and 'migrate' read. This one describes a store of cities and their mayors:

    {
      "schemaVersion": 1,
      "classes": [
        {
          "name": "City",
          "properties": [
            { "name": "id", "type": "int", "primaryKey": true },
            { "name": "name", "type": "string", "indexed": true },
            { "name": "founded", "type": "date", "optional": true },
            { "name": "size", "type": "string", "cases": ["small", "large"],
              "default": { "value": { "string": "small" } } },
            { "name": "twins", "type": "[<City>]" },
            { "name": "names", "type": "[string: string]" },
            { "name": "country", "type": "<Country>" },
            { "name": "mayor", "type": "<Mayor>" }
          ],
          "indexes": [
            { "kind": "unique", "properties": ["name", "country"] }
          ]
        },
        {
          "name": "Country",
          "properties": [
            { "name": "code", "type": "string", "primaryKey": true }
          ]
        },
        {
          "name": "Mayor",
          "embedded": true,
          "properties": [
            { "name": "name", "type": "string" }
          ]
        }
      ]
    }

    THE FILE
      schemaVersion  The version of the schema: a whole number that grows with each change.
      classes        The classes, in any order.

    A CLASS
      name           Its name.
      properties     Its properties, in the order in which they are shown.
      embedded       true if each object belongs to the one object that links to it.
      indexes        Indexes of several properties, and unique and full-text ones.
      previousNames  The names that it had in earlier versions, for a migration.
      declared       false for a class that the app no longer declares but whose objects are kept.

    A PROPERTY
      name           Its name.
      type           See below.
      optional       true if it may be nil. Links always may. Ignored for any and collections.
      primaryKey     true for the one property that names the object: a whole number, a string,
                     a uuid or an objectId.
      indexed        true if queries find objects by it.
      default        What an object gets without a value: { "value": { "int": 5 } }, with the type
                     of the value, or "generated" for another one each time, which only an app makes.
                     A whole number beyond 2^53 is a string: { "int": "9007199254740993" }.
      cases          The values that an enum has, as text.
      previousNames  The names that it had in earlier versions, for a migration.

    AN INDEX
      properties     The names of the properties.
      kind           "unique" or "fullText"; an ordered index if omitted.

    TYPES
      bool  int8  int16  int32  int  uint8  uint16  uint32  float  double  decimal
      string  data  date  uuid  objectId  any
      <Country>      a link to an object of a class, or an embedded object
      [int]          a list; of links [<City>], and [int?] if elements may be nil
      {string}       a set
      [string: int]  a map, whose names are strings

    Omit members that are false, empty or not set. 'whimbrel schema schema.json' checks a file.

    """
}
