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

// To merge inputs, libFuzzer starts this program again, with arguments of its own.
let variable = "WHIMBREL_FUZZ_TARGET"
let named = CommandLine.arguments.dropFirst().first.flatMap { FuzzTarget(rawValue: $0) }
let inherited = unsafe getenv(variable).flatMap { FuzzTarget(rawValue: unsafe String(cString: $0)) }
guard let target = named ?? inherited else {
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
    // Safe: a tool of developers, which has nothing to do without the file.
    guard let file = unsafe fopen(path, "wb") else { fatalError("cannot write \(path)") }
    _ = unsafe fwrite(seed, 1, seed.count, file)
    unsafe fclose(file)
  }
  exit(0)
}
var count = CommandLine.argc
var arguments = unsafe CommandLine.unsafeArgv
if named != nil {
  setenv(variable, target.rawValue, 1)
  unsafe arguments[1] = arguments[0]
  unsafe arguments += 1
  count -= 1
}
exit(
  unsafe runDriver(&count, &arguments) { bytes, count in
    // Safe: libFuzzer passes this many bytes.
    reader.check(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
