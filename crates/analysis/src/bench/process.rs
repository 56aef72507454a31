//! What this process and its threads use: CPU time and memory.
//!
//! If the system does not report a value, there is no answer rather than a guess.

use std::io;
use std::time::Duration;

/// Returns the CPU time of this thread.
pub fn thread_cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}

/// Returns the CPU time of all threads of this process together.
pub fn process_cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}

/// Returns the peak memory of this process, in bytes, since it began or since [`forget_peak_memory`].
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Resets the peak memory, if the system supports it.
pub fn forget_peak_memory() {
    // Linux resets the peak when 5 is written; elsewhere the peak remains that of the whole process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Makes memory allocations fail once this process has this many bytes of address space.
pub fn limit_memory(bytes: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        let limit = rustix::process::Rlimit { current: Some(bytes), maximum: Some(bytes) };
        Ok(rustix::process::setrlimit(rustix::process::Resource::As, limit)?)
    }
    #[cfg(not(unix))]
    {
        let _ = bytes;
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_and_time_are_told() {
        let before = thread_cpu_time().unwrap();
        let work: u64 = (0..2_000_000u64).map(std::hint::black_box).fold(0, |a, b| a ^ b.wrapping_mul(b));
        std::hint::black_box(work);
        assert!(thread_cpu_time().unwrap() > before);
        assert!(peak_memory().unwrap() > 100_000);
    }
}
