import { type InterruptedRun, readInterruptedRun } from '../engine/resume/interrupted-run.ts';
import { CarrierspecError } from '../model/problem.ts';

interface ResumeFlags {
  readonly resume: boolean;
  readonly target?: string;
}

/** The run that `--resume` resumes; undefined without the flag. Throws where there is none. */
export function interruptedRunOf({ resume, target }: ResumeFlags, journal: string): InterruptedRun | undefined {
  if (!resume) return undefined;
  if (target === undefined) {
    const message = '--resume needs --target: the embedded reference carrier ended with its run';
    throw new CarrierspecError(message, { kind: 'usage', code: 'bad-flag' });
  }
  return readInterruptedRun(journal, Date.now());
}
