import Whimbrel

func migrate(_ migration: Migration) throws {
  try migration.enumerateObjects(ofType: "City") { old, new in
    new?["mayor"] = old?["mayor"]
  }
}
