import Foundation

/// A pager for text for people on a terminal.
///
/// `WHIMBREL_PAGER` names the program, else `PAGER`, else it is `less -FRX`. An empty name or `cat`
/// means no pager. The pager starts with the first text, so the user can interrupt a long query
/// before that.
struct Pager {
  private let command: String
  private var child: pid_t?
  /// A copy of the file descriptor of standard output, made before the pager started.
  private var terminal: Int32 = -1

  /// Calls `body` with a function that writes text, through the pager if there is one. Leaving the
  /// pager early is not an error.
  static func run(_ body: ((String) throws -> Void) throws -> Void) throws {
    guard Terminal.isOutput, let command = chosenCommand else { return try body(Output.write) }
    var pager = Pager(command)
    defer { pager.finish() }
    do {
      try body { text in
        pager.start()
        try Output.write(text)
      }
    } catch is BrokenPipe {}
  }

  private init(_ command: String) { self.command = command }

  private static var chosenCommand: String? {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = environment["WHIMBREL_PAGER"] ?? environment["PAGER"] {
      return chosen.isEmpty || chosen == "cat" ? nil : chosen
    }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let hasLess = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/less") }
    return hasLess ? "less -FRX" : nil
  }
}

extension Pager {
  /// Starts the pager once and redirects standard output to it. If that fails, the text goes to the
  /// terminal.
  private mutating func start() {
    guard child == nil else { return }
    // As with Git: `less` shows colours even if it is named without options.
    // Safe: the call copies both texts, and no other thread reads the environment.
    unsafe setenv("LESS", "FRX", 0)
    var ends: [Int32] = [-1, -1]
    // Safe: there is room for both ends.
    guard unsafe pipe(&ends) == 0 else { return }
    child = spawn(input: ends[0], other: ends[1])
    close(ends[0])
    if child != nil {
      terminal = dup(STDOUT_FILENO)
      dup2(ends[1], STDOUT_FILENO)
      // Ctrl-C is for the pager now. When the pager ends, this process ends too.
      signal(SIGINT, SIG_IGN)
    }
    close(ends[1])
  }

  private func spawn(input: Int32, other: Int32) -> pid_t? {
    // Safe: the actions and the attributes are initialised before they are used, and the texts
    // live until the calls return; the list of them ends with nil.
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_addclose(&actions, other)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The tool ignores SIGPIPE. The pager must not inherit that, because other programs rely on it.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words: [String] = ["sh", "-c", command]
    let arguments = unsafe words.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let result = unsafe posix_spawn(
      &child, "/bin/sh", &actions, &attributes, arguments + [nil], environ)
    return result == 0 ? child : nil
  }

  /// Waits until the pager has shown everything or its user has left it.
  private mutating func finish() {
    guard let child else { return }
    // The pager sees the end of the text when all writers have closed the pipe.
    dup2(terminal, STDOUT_FILENO)
    close(terminal)
    var status: Int32 = 0
    // Safe: the call fills the number.
    while unsafe waitpid(child, &status, 0) == -1, errno == EINTR {}
    signal(SIGINT, SIG_DFL)
    self.child = nil
  }
}
