import { renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWorthKeeping, type Kept, readKept } from '../engine/read-kept.ts';
import { CarrierspecError } from '../model/problem.ts';
import { forTerminal } from '../report/sanitize.ts';
import { parseCase, parseHeader } from '../report/read-result/shape.ts';

interface ResumeFlags {
  readonly resume: boolean;
  readonly target?: string;
}

/** Gives where it is now: its name has the time at which the run was cut off. */
function putAside(journal: string): string {
  const until = statSync(journal)
    .mtime.toISOString()
    .replaceAll(/[-:]|\.\d+/g, '');
  const aside = join(dirname(journal), `journal-${until}.jsonl`);
  renameSync(journal, aside);
  return aside;
}

/**
 * What is left of the run that `--resume` goes on with. Throws where there is nothing to go on with. Without the flag nothing,
 * and the journal of a run that could go on is put aside and not written over.
 */
export function keptOf(
  { resume, target }: ResumeFlags,
  journal: string,
  tell: (text: string) => void,
): Kept | undefined {
  if (resume && target === undefined) {
    const message = '--resume needs --target: the embedded reference carrier ended with its run';
    throw new CarrierspecError(message, { kind: 'usage', code: 'bad-flag' });
  }
  if (resume) return readKept(journal, { header: parseHeader, case: parseCase }, Date.now());
  if (target !== undefined && isWorthKeeping(journal)) {
    const aside = forTerminal(putAside(journal), 500);
    tell(`the journal of the run that was cut off is ${aside} now; --resume would have gone on with it\n`);
  }
  return undefined;
}
