import Foundation
import Synchronization

/// The peak of this process's anonymous memory: memory that is not a mapped
/// page of a file, and that the system cannot take back.
///
/// Linux records a peak only for all memory together, so a thread samples every
/// five milliseconds. On Apple platforms the physical footprint is used.
final class MemoryPeak: Sendable {
  private let peak = Atomic<UInt64>(0)
  private let isStopped = Atomic<Bool>(false)

  /// Starts sampling.
  static func start() -> MemoryPeak {
    let memory = MemoryPeak()
    memory.sample()
    Thread {
      while !memory.isStopped.load(ordering: .relaxed) {
        memory.sample()
        usleep(5_000)
      }
    }.start()
    return memory
  }

  /// Stops sampling and returns the peak in bytes.
  func stop() -> UInt64 {
    isStopped.store(true, ordering: .relaxed)
    sample()
    return peak.load(ordering: .relaxed)
  }

  private func sample() {
    peak.max(Self.current(), ordering: .relaxed)
  }

  #if canImport(Darwin)
    static func current() -> UInt64 {
      var info = task_vm_info_data_t()
      let words = MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<integer_t>.size
      var count = mach_msg_type_number_t(words)
      let result = unsafe withUnsafeMutablePointer(to: &info) { pointer in
        unsafe pointer.withMemoryRebound(to: integer_t.self, capacity: words) {
          unsafe task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? info.phys_footprint : 0
    }
  #else
    static func current() -> UInt64 {
      let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return 0 }
      defer { close(file) }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe read(file, &buffer, buffer.count)
      guard count > 0 else { return 0 }
      let label = Array("RssAnon:".utf8)
      guard let place = buffer[..<count].firstRange(of: label) else { return 0 }
      let digits = buffer[place.upperBound..<count].drop { $0 == 0x20 || $0 == 0x09 }
        .prefix { (0x30...0x39).contains($0) }
      return digits.reduce(0) { $0 * 10 + UInt64($1 - 0x30) } * 1_024
    }
  #endif
}
