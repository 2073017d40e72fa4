import { writeFileSync } from 'node:fs';
import process from 'node:process';

/** Preloaded into a measured process: leaves its peak memory (KiB) where PEAK_FILE says. */
process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS));
});
