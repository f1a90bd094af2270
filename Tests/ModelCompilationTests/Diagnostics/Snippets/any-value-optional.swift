import Whimbrel

@Model final class Setting {
  var value: AnyValue?
}
