internal import FuzzTargets
internal import Logging

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

// Fuzzes one reader with libFuzzer: `Fuzz TARGET …`, with the arguments of libFuzzer. `Tools/fuzz` builds and runs it.
// `Fuzz TARGET --seeds FOLDER` writes the inputs to begin with.

typealias FuzzBody = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// The loop of libFuzzer.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: FuzzBody
) -> CInt

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  print("Error: Name a target first: \(names).")
  exit(64)
}
// Migrations log, and there are many.
LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
let reader = try target.reader()
if CommandLine.arguments.dropFirst(2).first == "--seeds" {
  for (number, seed) in try reader.seeds.enumerated() {
    let path = "\(CommandLine.arguments[3])/seed-\(number)"
    guard let file = unsafe fopen(path, "wb") else { fatalError("cannot write \(path)") }
    _ = unsafe fwrite(seed, 1, seed.count, file)
    unsafe fclose(file)
  }
  exit(0)
}
var count = CommandLine.argc - 1
var arguments = unsafe CommandLine.unsafeArgv + 1
exit(
  unsafe runDriver(&count, &arguments) { bytes, count in
    // Safe: libFuzzer passes this many bytes.
    reader.check(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
