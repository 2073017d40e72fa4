import { judgeBefore, knownOf } from '../../judge/expected.ts';
import type { ExpectedFailure } from '../../model/expected.ts';
import type { Suites } from '../../model/suite.ts';
import { staleWords } from '../../report/prose/expected.ts';
import { forTerminal } from '../../report/sanitize.ts';
import type { Stream } from '../shared/invocation.ts';

/** Tells at the start, in the words of the report, which entries of expected.yaml have to be deleted: a run may take a day. */
export function tellStale(entries: readonly ExpectedFailure[] | undefined, suites: Suites, stderr: Stream): void {
  const today = new Date().toISOString().slice(0, 10);
  const stale = judgeBefore(entries ?? [], knownOf(suites, today));
  for (const entry of stale) stderr.write(`${forTerminal(staleWords(entry))}\n`);
}
