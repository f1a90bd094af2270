import Whimbrel

func migrate(_ migration: Migration) throws {
  try migration.enumerateObjects(ofType: "City") { old, new in
    guard let old, let new else { return }
    let name: String? = old["name"]
    new["name"] = name
    new["population"] = 5
    new["note"] = nil
    new["mayor"] = old["mayor"]
    try new.set("name", to: old["name", as: String.self])
  }
}
