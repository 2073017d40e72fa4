import { writeFileSync } from 'node:fs';
import process from 'node:process';

/** Preloaded into a measured process: leaves what it used, its peak memory in KiB, where USAGE_FILE says. */
process.on('exit', () => {
  writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage()));
});
