import Whimbrel

@Model final class Flag {
  @PrimaryKey var isSet: Bool = false
}

@Model final class Link {
  @PrimaryKey var target: Flag?
}
