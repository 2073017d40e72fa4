import { writeFileSync } from 'node:fs';
import process from 'node:process';

/** Preloaded into a measured process: leaves what it used, its peak memory in KiB, where PEAK_FILE says. */
process.on('exit', () => {
  writeFileSync(process.env.PEAK_FILE, JSON.stringify(process.resourceUsage()));
});
