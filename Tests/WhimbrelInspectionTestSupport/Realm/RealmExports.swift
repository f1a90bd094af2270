/// Complete exports of Realm Studio, one for each of its formats. They make this file long.
///
/// The store has two classes with primary keys, `Country` and `Zone`, and `Note` without one.
/// `station` and `stations` of `Zone` are embedded.
package enum RealmExports {
  /// Studio 3.5 to 4: links are primary keys. Linked objects without a primary key are written in
  /// full.
  package static let keys = #"""
    {
     "Country": [
      {
       "code": "AD",
       "name": "Andorra"
      },
      {
       "code": "FR",
       "name": "France"
      }
     ],
     "Zone": [
      {
       "identifier": "Europe/Andorra",
       "latitude": 42.5,
       "population": 79824,
       "country": "AD",
       "area": "europe",
       "flag": "AAHDvw==",
       "checked": "2025-05-01T12:30:00.250Z",
       "tags": [
        "a",
        "ä \"x\""
       ],
       "neighbours": [
        "Europe/Paris"
       ]
      },
      {
       "identifier": "Europe/Paris",
       "latitude": 48.87,
       "population": 2102650,
       "country": "FR",
       "area": null,
       "flag": null,
       "checked": null,
       "tags": [],
       "neighbours": [
        "Europe/Paris"
       ]
      }
     ],
     "Note": [
      {
       "text": "first",
       "zone": "Europe/Andorra",
       "next": {
        "text": "second",
        "zone": null,
        "next": null
       }
      },
      {
       "text": "second",
       "zone": null,
       "next": null
      },
      {
       "text": "third",
       "zone": "Europe/Paris",
       "next": null
      }
     ]
    }
    """#

  /// Studio 5 to 11, without cycles of objects.
  package static let nested = #"""
    {
     "Country": [
      {
       "code": "AD",
       "name": "Andorra"
      },
      {
       "code": "FR",
       "name": "France"
      }
     ],
     "Note": [
      {
       "text": "first",
       "zone": {
        "identifier": "Europe/Andorra",
        "latitude": 42.5,
        "population": 79824,
        "country": {
         "code": "AD",
         "name": "Andorra"
        },
        "area": "europe",
        "flag": "AAHDvw==",
        "checked": "2025-05-01T12:30:00.250Z",
        "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
        "price": {
         "$numberDecimal": "12.50"
        },
        "oid": "507f1f77bcf86cd799439011",
        "tags": [
         "a",
         "ä \"x\""
        ],
        "neighbours": [],
        "station": {
         "name": "Vella",
         "height": 1023
        },
        "stations": [
         {
          "name": "A",
          "height": 1
         },
         {
          "name": "B",
          "height": null
         }
        ],
        "mixed": 5
       },
       "next": {
        "text": "second",
        "zone": null,
        "next": null
       }
      },
      {
       "text": "second",
       "zone": null,
       "next": null
      },
      {
       "text": "third",
       "zone": {
        "identifier": "Europe/Paris",
        "latitude": 48.87,
        "population": 2102650,
        "country": {
         "code": "FR",
         "name": "France"
        },
        "area": null,
        "flag": null,
        "checked": null,
        "token": "00000000-0000-4000-8000-000000000001",
        "price": {
         "$numberDecimal": "-1E-3"
        },
        "oid": "507f191e810c19729de860ea",
        "tags": [],
        "neighbours": [],
        "station": null,
        "stations": [],
        "mixed": "text"
       },
       "next": null
      }
     ],
     "Zone": [
      {
       "identifier": "Europe/Andorra",
       "latitude": 42.5,
       "population": 79824,
       "country": {
        "code": "AD",
        "name": "Andorra"
       },
       "area": "europe",
       "flag": "AAHDvw==",
       "checked": "2025-05-01T12:30:00.250Z",
       "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
       "price": {
        "$numberDecimal": "12.50"
       },
       "oid": "507f1f77bcf86cd799439011",
       "tags": [
        "a",
        "ä \"x\""
       ],
       "neighbours": [],
       "station": {
        "name": "Vella",
        "height": 1023
       },
       "stations": [
        {
         "name": "A",
         "height": 1
        },
        {
         "name": "B",
         "height": null
        }
       ],
       "mixed": 5
      },
      {
       "identifier": "Europe/Paris",
       "latitude": 48.87,
       "population": 2102650,
       "country": {
        "code": "FR",
        "name": "France"
       },
       "area": null,
       "flag": null,
       "checked": null,
       "token": "00000000-0000-4000-8000-000000000001",
       "price": {
        "$numberDecimal": "-1E-3"
       },
       "oid": "507f191e810c19729de860ea",
       "tags": [],
       "neighbours": [],
       "station": null,
       "stations": [],
       "mixed": "text"
      }
     ]
    }
    """#

  /// Studio 5 to 11, with cycles of objects.
  package static let circular = #"""
    {
     "Country": [
      {
       "$refId": "Country#AD",
       "code": "AD",
       "name": "Andorra"
      },
      {
       "$refId": "Country#FR",
       "code": "FR",
       "name": "France"
      }
     ],
     "Note": [
      {
       "$refId": "Note#0",
       "text": "first",
       "zone": {
        "$refId": "Zone#Europe/Andorra",
        "identifier": "Europe/Andorra",
        "latitude": 42.5,
        "population": 79824,
        "country": {
         "$refId": "Country#AD",
         "code": "AD",
         "name": "Andorra"
        },
        "area": "europe",
        "flag": "AAHDvw==",
        "checked": "2025-05-01T12:30:00.250Z",
        "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
        "price": {
         "$numberDecimal": "12.50"
        },
        "oid": "507f1f77bcf86cd799439011",
        "tags": [
         "a",
         "ä \"x\""
        ],
        "neighbours": [
         {
          "$refId": "Zone#Europe/Paris",
          "identifier": "Europe/Paris",
          "latitude": 48.87,
          "population": 2102650,
          "country": {
           "$refId": "Country#FR",
           "code": "FR",
           "name": "France"
          },
          "area": null,
          "flag": null,
          "checked": null,
          "token": "00000000-0000-4000-8000-000000000001",
          "price": {
           "$numberDecimal": "-1E-3"
          },
          "oid": "507f191e810c19729de860ea",
          "tags": [],
          "neighbours": [
           {
            "$ref": "Zone#Europe/Andorra"
           }
          ],
          "station": null,
          "stations": [],
          "mixed": "text"
         }
        ],
        "station": {
         "$refId": "Station#0",
         "name": "Vella",
         "height": 1023
        },
        "stations": [
         {
          "$refId": "Station#1",
          "name": "A",
          "height": 1
         },
         {
          "$refId": "Station#2",
          "name": "B",
          "height": null
         }
        ],
        "mixed": 5
       },
       "next": {
        "$refId": "Note#1",
        "text": "second",
        "zone": null,
        "next": {
         "$ref": "Note#0"
        }
       }
      },
      {
       "$refId": "Note#1",
       "text": "second",
       "zone": null,
       "next": {
        "$refId": "Note#0",
        "text": "first",
        "zone": {
         "$refId": "Zone#Europe/Andorra",
         "identifier": "Europe/Andorra",
         "latitude": 42.5,
         "population": 79824,
         "country": {
          "$refId": "Country#AD",
          "code": "AD",
          "name": "Andorra"
         },
         "area": "europe",
         "flag": "AAHDvw==",
         "checked": "2025-05-01T12:30:00.250Z",
         "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
         "price": {
          "$numberDecimal": "12.50"
         },
         "oid": "507f1f77bcf86cd799439011",
         "tags": [
          "a",
          "ä \"x\""
         ],
         "neighbours": [
          {
           "$refId": "Zone#Europe/Paris",
           "identifier": "Europe/Paris",
           "latitude": 48.87,
           "population": 2102650,
           "country": {
            "$refId": "Country#FR",
            "code": "FR",
            "name": "France"
           },
           "area": null,
           "flag": null,
           "checked": null,
           "token": "00000000-0000-4000-8000-000000000001",
           "price": {
            "$numberDecimal": "-1E-3"
           },
           "oid": "507f191e810c19729de860ea",
           "tags": [],
           "neighbours": [
            {
             "$ref": "Zone#Europe/Andorra"
            }
           ],
           "station": null,
           "stations": [],
           "mixed": "text"
          }
         ],
         "station": {
          "$refId": "Station#0",
          "name": "Vella",
          "height": 1023
         },
         "stations": [
          {
           "$refId": "Station#1",
           "name": "A",
           "height": 1
          },
          {
           "$refId": "Station#2",
           "name": "B",
           "height": null
          }
         ],
         "mixed": 5
        },
        "next": {
         "$ref": "Note#1"
        }
       }
      },
      {
       "$refId": "Note#2",
       "text": "third",
       "zone": {
        "$refId": "Zone#Europe/Paris",
        "identifier": "Europe/Paris",
        "latitude": 48.87,
        "population": 2102650,
        "country": {
         "$refId": "Country#FR",
         "code": "FR",
         "name": "France"
        },
        "area": null,
        "flag": null,
        "checked": null,
        "token": "00000000-0000-4000-8000-000000000001",
        "price": {
         "$numberDecimal": "-1E-3"
        },
        "oid": "507f191e810c19729de860ea",
        "tags": [],
        "neighbours": [
         {
          "$refId": "Zone#Europe/Andorra",
          "identifier": "Europe/Andorra",
          "latitude": 42.5,
          "population": 79824,
          "country": {
           "$refId": "Country#AD",
           "code": "AD",
           "name": "Andorra"
          },
          "area": "europe",
          "flag": "AAHDvw==",
          "checked": "2025-05-01T12:30:00.250Z",
          "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
          "price": {
           "$numberDecimal": "12.50"
          },
          "oid": "507f1f77bcf86cd799439011",
          "tags": [
           "a",
           "ä \"x\""
          ],
          "neighbours": [
           {
            "$ref": "Zone#Europe/Paris"
           }
          ],
          "station": {
           "$refId": "Station#0",
           "name": "Vella",
           "height": 1023
          },
          "stations": [
           {
            "$refId": "Station#1",
            "name": "A",
            "height": 1
           },
           {
            "$refId": "Station#2",
            "name": "B",
            "height": null
           }
          ],
          "mixed": 5
         }
        ],
        "station": null,
        "stations": [],
        "mixed": "text"
       },
       "next": null
      }
     ],
     "Zone": [
      {
       "$refId": "Zone#Europe/Andorra",
       "identifier": "Europe/Andorra",
       "latitude": 42.5,
       "population": 79824,
       "country": {
        "$refId": "Country#AD",
        "code": "AD",
        "name": "Andorra"
       },
       "area": "europe",
       "flag": "AAHDvw==",
       "checked": "2025-05-01T12:30:00.250Z",
       "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
       "price": {
        "$numberDecimal": "12.50"
       },
       "oid": "507f1f77bcf86cd799439011",
       "tags": [
        "a",
        "ä \"x\""
       ],
       "neighbours": [
        {
         "$refId": "Zone#Europe/Paris",
         "identifier": "Europe/Paris",
         "latitude": 48.87,
         "population": 2102650,
         "country": {
          "$refId": "Country#FR",
          "code": "FR",
          "name": "France"
         },
         "area": null,
         "flag": null,
         "checked": null,
         "token": "00000000-0000-4000-8000-000000000001",
         "price": {
          "$numberDecimal": "-1E-3"
         },
         "oid": "507f191e810c19729de860ea",
         "tags": [],
         "neighbours": [
          {
           "$ref": "Zone#Europe/Andorra"
          }
         ],
         "station": null,
         "stations": [],
         "mixed": "text"
        }
       ],
       "station": {
        "$refId": "Station#0",
        "name": "Vella",
        "height": 1023
       },
       "stations": [
        {
         "$refId": "Station#1",
         "name": "A",
         "height": 1
        },
        {
         "$refId": "Station#2",
         "name": "B",
         "height": null
        }
       ],
       "mixed": 5
      },
      {
       "$refId": "Zone#Europe/Paris",
       "identifier": "Europe/Paris",
       "latitude": 48.87,
       "population": 2102650,
       "country": {
        "$refId": "Country#FR",
        "code": "FR",
        "name": "France"
       },
       "area": null,
       "flag": null,
       "checked": null,
       "token": "00000000-0000-4000-8000-000000000001",
       "price": {
        "$numberDecimal": "-1E-3"
       },
       "oid": "507f191e810c19729de860ea",
       "tags": [],
       "neighbours": [
        {
         "$refId": "Zone#Europe/Andorra",
         "identifier": "Europe/Andorra",
         "latitude": 42.5,
         "population": 79824,
         "country": {
          "$refId": "Country#AD",
          "code": "AD",
          "name": "Andorra"
         },
         "area": "europe",
         "flag": "AAHDvw==",
         "checked": "2025-05-01T12:30:00.250Z",
         "token": "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
         "price": {
          "$numberDecimal": "12.50"
         },
         "oid": "507f1f77bcf86cd799439011",
         "tags": [
          "a",
          "ä \"x\""
         ],
         "neighbours": [
          {
           "$ref": "Zone#Europe/Paris"
          }
         ],
         "station": {
          "$refId": "Station#0",
          "name": "Vella",
          "height": 1023
         },
         "stations": [
          {
           "$refId": "Station#1",
           "name": "A",
           "height": 1
          },
          {
           "$refId": "Station#2",
           "name": "B",
           "height": null
          }
         ],
         "mixed": 5
        }
       ],
       "station": null,
       "stations": [],
       "mixed": "text"
      }
     ]
    }
    """#

  /// Studio 12 and later, which loses data.
  package static let flatted = #"""
    [{"Country":"1","Note":"2","Zone":"3"},
    ["4","5"],
    ["6","7","8"],
    ["9","10"],
    {"code":"11","name":"12"},
    {"code":"13","name":"14"},
    {"text":"15","zone":"16","next":"7"},
    {"text":"17","zone":null,"next":"6"},
    {"text":"18","zone":"19","next":null},
    {"identifier":"20","latitude":42.5,"population":79824,"country":"21","area":"22","flag":"23","checked":"24","token":"25","price":"26","oid":"27","tags":"28","neighbours":"29","station":"30","stations":"31","mixed":5},
    {"identifier":"32","latitude":48.87,"population":2102650,"country":"33","area":null,"flag":null,"checked":null,"token":"34","price":"35","oid":"36","tags":"37","neighbours":"38","station":null,"stations":"39","mixed":"40"},
    "AD",
    "Andorra",
    "FR",
    "France",
    "first",
    {"identifier":"20","latitude":42.5,"population":79824,"country":"41","area":"22","flag":"23","checked":"24","token":"25","price":"42","oid":"27","tags":"28","neighbours":"43","station":"44","stations":"45","mixed":5},
    "second",
    "third",
    {"identifier":"32","latitude":48.87,"population":2102650,"country":"46","area":null,"flag":null,"checked":null,"token":"34","price":"47","oid":"36","tags":"37","neighbours":"48","station":null,"stations":"49","mixed":"40"},
    "Europe/Andorra",
    {"code":"11","name":"12"},
    "europe",
    {},
    "2025-05-01T12:30:00.250Z",
    "6b9f2a3e-0f6f-4d6c-9d8e-2f1f1a7e9c11",
    {"$numberDecimal":"50"},
    "507f1f77bcf86cd799439011",
    ["51","52"],
    ["10"],
    {"name":"53","height":1023},
    ["54","55"],
    "Europe/Paris",
    {"code":"13","name":"14"},
    "00000000-0000-4000-8000-000000000001",
    {"$numberDecimal":"56"},
    "507f191e810c19729de860ea",
    [],
    ["9"],
    [],
    "text",
    {"code":"11","name":"12"},
    {"$numberDecimal":"50"},
    ["19"],
    {"name":"53","height":1023},
    ["57","58"],
    {"code":"13","name":"14"},
    {"$numberDecimal":"56"},
    ["16"],
    [],
    "12.50",
    "a",
    "ä \"x\"",
    "Vella",
    {"name":"59","height":1},
    {"name":"60","height":null},
    "-1E-3",
    {"name":"59","height":1},
    {"name":"60","height":null},
    "A",
    "B"]
    """#
}
