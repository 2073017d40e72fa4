import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suites } from '../suite/suites.ts';
import { hashFolder } from '../lib/digest.ts';

import { packageRoot } from '../setup/paths.ts';
import type { JobOutcome } from './job.ts';

interface Kept {
  readonly key: string;
  readonly outcome: JobOutcome;
}

/** Over the program as it runs, the reference carrier and its target file, and the suites: with any change, another clean run. */
export function keyOf({ digests }: Suites): string {
  const hash = createHash('sha256').update(digests.rules).update(digests.suites);
  for (const folder of ['dist', 'fixtures/reference']) hashFolder(hash, join(packageRoot, folder), /\.(js|json|yaml)$/);
  return hash.digest('hex');
}

/** The clean run that an earlier proof of the very same program and suites has left; none where anything is different. */
export function readClean(file: string, key: string): JobOutcome | undefined {
  try {
    // Written below; the key vouches that this very program wrote it.
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return kept.key === key ? kept.outcome : undefined;
  } catch {
    return undefined;
  }
}

export function writeClean(file: string, key: string, outcome: JobOutcome): void {
  const kept: Kept = { key, outcome };
  writeFileSync(file, JSON.stringify(kept));
}
