import { CarrierspecError, type ErrorCode } from '../../model/problem.ts';
import { isFile, modifiedAt } from '../../files/look.ts';
import { isAcceptedExchange } from '../../verdict/response-class.ts';
import type { JournalEntry } from '../../journal/entries.ts';
import { readEntries } from '../../journal/read-entries.ts';
import type { Exchange, Message } from '../../model/exchange.ts';
import { senderOf } from '../case/case-result.ts';
import type { CaseResult, Gap, ResultFooter, ResultHeader } from '../../model/result.ts';
import type { CaseSummary } from '../case/case-result.ts';
import type { InterruptedRun, RestoredCase } from '../run-options.ts';
import { withoutFlag } from '../../model/flags.ts';

export const refuseResume = (code: ErrorCode, message: string): CarrierspecError =>
  new CarrierspecError(message, { code });

const isAccepted = (message: Message): message is Exchange =>
  isAcceptedExchange(message) && message.object !== undefined;
const isPlain = ({ differences }: Exchange): boolean => differences.every(({ what }) => what === 'client');

function restoreCase(result: CaseResult): RestoredCase {
  const { messages, ...summary } = result;
  const exchanges = messages.filter(({ kind }) => kind === 'exchange').length;
  const accepted = messages.filter(isAccepted);
  const sendersOf = (some: readonly Exchange[]) => some.flatMap(({ id }) => senderOf(id, result) ?? []);
  const [acceptedFrom, plainAcceptedFrom] = [sendersOf(accepted), sendersOf(accepted.filter(isPlain))];
  return { ...summary, exchanges, deliveries: messages.length - exchanges, acceptedFrom, plainAcceptedFrom };
}

const isRestorable = ({ startedAt, verdict }: CaseResult): boolean => startedAt !== 0 && verdict !== 'not-run';

/** Whether a run with this footer is complete, so that it cannot be resumed. */
export const isCompleteRun = ({ interrupted, stopped }: ResultFooter): boolean => !interrupted && stopped !== true;

const nothingToResume = (why: string): CarrierspecError => refuseResume('nothing-to-resume', `--resume: ${why}`);

/** Whether the refused plain request that ended the run left the case without a verdict. */
const isLeftOpen = ({ verdict, reason }: CaseSummary, { root, reasons }: ResultFooter): boolean =>
  root !== undefined && verdict === 'inconclusive' && reason === reasons[0];

function requireResumable(entry: JournalEntry, file: string): void {
  if (entry.kind === 'footer' && isCompleteRun(entry.footer))
    throw nothingToResume(`the run of ${file} came to its end`);
}

/** Reads the journal of a run to resume. Throws if there is none, or the run is complete. */
export function readInterruptedRun(file: string, now: number): InterruptedRun {
  if (!isFile(file)) throw nothingToResume(`there is no journal ${file}`);
  let header: ResultHeader | undefined;
  const cases = new Map<string, RestoredCase>();
  const entries: JournalEntry[] = [];
  const gaps: Gap[] = [];
  let footer: ResultFooter | undefined;
  for (const { entry, chained } of readEntries(file)) {
    requireResumable(entry, file);
    if (!chained)
      throw refuseResume('contradiction', `--resume: the lines of ${file} are not chained: no run wrote it`);
    if (entry.kind === 'header') header = entry.header;
    if (entry.kind === 'footer') footer = entry.footer;
    if (entry.kind === 'resumed') gaps.push(entry.gap);
    if (entry.kind === 'encrypted') entries.push(entry);
    if (entry.kind === 'case' && isRestorable(entry.case)) {
      cases.set(entry.case.id, restoreCase(entry.case));
      entries.push(entry);
    }
  }
  if (header === undefined) throw nothingToResume(`${file} ends before its header does`);
  for (const [id, one] of cases) if (footer !== undefined && isLeftOpen(one, footer)) cases.delete(id);
  const gap = { from: new Date(modifiedAt(file)).toISOString(), to: new Date(now).toISOString() };
  const kept = entries.filter((entry) => entry.kind !== 'case' || cases.has(entry.case.id));
  return { header, cases, entries: kept, gaps: [...gaps, gap] };
}

/** First entries of the resumed run's journal. */
export const copiedEntries = ({ entries, gaps }: InterruptedRun): readonly JournalEntry[] => [
  ...gaps.map((gap): JournalEntry => ({ kind: 'resumed', gap })),
  ...entries,
];

/** Settings that must equal those of the interrupted run. */
type FixedSettings = Pick<ResultHeader, 'tool' | 'selection' | 'profile' | 'flags' | 'shard'> & {
  readonly suites: Pick<ResultHeader['suites'], 'rules' | 'suites'>;
  readonly target: Pick<ResultHeader['target'], 'fingerprint' | 'name' | 'file'>;
};

/** Words for a setting with another digest; the digests would tell a reader nothing. */
const otherContent = (): string => 'other content than then';

const otherTarget = ({ target: then }: FixedSettings, { target: now }: FixedSettings): string =>
  then.name === now.name && then.file === now.file
    ? otherContent()
    : `that of ${JSON.stringify(then.name)} (${then.file}) then, that of ${JSON.stringify(now.name)} (${now.file}) now`;

type SettingWords = (then: FixedSettings, now: FixedSettings) => string;

const fixedFacets: readonly (readonly [name: string, of: (fixed: FixedSettings) => unknown, words?: SettingWords])[] = [
  ['the version of carrierspec', ({ tool }) => tool.version],
  ['the program', ({ tool }) => tool.digest, otherContent],
  ['the rules', ({ suites }) => suites.rules, otherContent],
  ['the suites', ({ suites }) => suites.suites, otherContent],
  ['the target file', ({ target }) => target.fingerprint, otherTarget],
  ['the selection', ({ selection }) => selection],
  ['--profile', ({ profile }) => profile],
  ['--shard', ({ shard }) => shard ?? null],
  // The fingerprint identifies the target file, wherever it is.
  ['the flags', ({ flags }) => withoutFlag(flags, '--target')],
];

/** Throws with all changed settings: the earlier findings would not be about the same run. */
export function requireSameSettings(before: ResultHeader, now: FixedSettings): void {
  const differing = fixedFacets.flatMap(([name, of, words]) => {
    const [then, today] = [JSON.stringify(of(before)), JSON.stringify(of(now))];
    if (then === today) return [];
    return [`${name} (${words?.(before, now) ?? `${then} then, ${today} now`})`];
  });
  if (differing.length === 0) return;
  const message = `--resume: not as in the run that was cut off: ${differing.join('; ')}`;
  throw refuseResume('resume-differs', `${message}. Resume it as it was, or begin a new run`);
}
