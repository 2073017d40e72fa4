import { writeFileSync } from 'node:fs';
import process from 'node:process';

/** Preloaded into a measured process: writes its peak memory (KiB) to PEAK_FILE. */
process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS));
});
