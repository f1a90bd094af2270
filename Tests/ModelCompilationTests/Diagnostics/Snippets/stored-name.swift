import Whimbrel

@Model("link\u{7}origin") final class Origin {
  @StoredName("") var a: Int
  @StoredName("b\nc") var b: Int
  @StoredName("p0123456789012345678901234567890123456789012345678901234567890123") var c: Int
  @StoredName("\(1)") var d: Int
  @StoredName("x") @Transient var e: Int = 0
}

@Model("") final class Nothing {
  @StoredName("link count") var linkCount: Int
}

@Model("p0123456789012345678901234567890123456789012345678901234567890123")
final class Long {
  var name: String
}
