import type { Testcase } from '../shared/testcase.ts';

export type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** A test as CTRF has it. */
export interface CtrfTest {
  readonly name: string;
  readonly status: CtrfStatus;
  /** Our verdict. */
  readonly rawStatus: string;
  /** Milliseconds on the run's clock. */
  readonly duration: number;
  readonly start?: number;
  readonly stop?: number;
  readonly suite: readonly string[];
  readonly testId: string;
  readonly tags?: readonly string[];
  readonly filePath?: string;
  readonly line?: number;
  readonly message?: string;
  readonly trace?: string;
  readonly stdout?: readonly string[];
}

/** Inconclusive says nothing about the carrier, so it is neither passed nor failed; an incomplete run fails its own test. */
function statusOf({ verdict, trouble }: Testcase): CtrfStatus {
  if (trouble === undefined) return 'passed';
  if (trouble.element === 'skipped') return 'skipped';
  return trouble.element === 'failure' || verdict === 'incomplete' ? 'failed' : 'other';
}

function troubleOf({ trouble }: Testcase): Pick<CtrfTest, 'message' | 'trace'> {
  if (trouble === undefined) return {};
  const { element, message, text } = trouble;
  return element === 'failure' ? { message, trace: text } : { message: text };
}

/** A testcase as CTRF writes it; `tags` are its rules. */
export function ctrfTestOf(test: Testcase, tags: readonly string[]): CtrfTest {
  const { id, name, area, suite, verdict, milliseconds, startedAt, position, output } = test;
  const duration = Math.max(0, Math.round(milliseconds));
  const start = startedAt === undefined ? undefined : Math.round(startedAt);
  return {
    name,
    status: statusOf(test),
    rawStatus: verdict,
    duration,
    ...(start === undefined ? {} : { start, stop: start + duration }),
    suite: [area, suite],
    testId: id,
    ...(tags.length === 0 ? {} : { tags }),
    ...(position === undefined ? {} : { filePath: position.file, line: position.line }),
    ...troubleOf(test),
    ...(output === '' ? {} : { stdout: output.split('\n') }),
  };
}
