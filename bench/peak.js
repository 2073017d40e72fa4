import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Peak memory of this process, in KiB. On Linux maxRSS begins with the memory of the process that started this one, so a test of a large
 * program would measure itself.
 */
function peakMemory() {
  const ofSystem = process.resourceUsage().maxRSS;
  if (!existsSync('/proc/self/status')) return ofSystem;
  const [, own = ofSystem] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return own;
}

/** Preloaded into a measured process: writes its peak memory (KiB) to PEAK_FILE. */
process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE, String(peakMemory()));
});
