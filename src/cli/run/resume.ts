import { type Kept, readKept } from '../../engine/resume/read-kept.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { parseCase, parseHeader } from '../../report/read-result/shape.ts';

interface ResumeFlags {
  readonly resume: boolean;
  readonly target?: string;
}

/** What is left of the run that `--resume` goes on with; undefined without the flag. Throws where there is nothing to go on with. */
export function keptOf({ resume, target }: ResumeFlags, journal: string): Kept | undefined {
  if (!resume) return undefined;
  if (target === undefined) {
    const message = '--resume needs --target: the embedded reference carrier ended with its run';
    throw new CarrierspecError(message, { code: 'bad-flag' });
  }
  return readKept(journal, { header: parseHeader, case: parseCase }, Date.now());
}
