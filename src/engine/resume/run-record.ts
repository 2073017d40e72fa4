import { randomBytes } from 'node:crypto';
import { createJournal, type Journal } from '../../journal/journal.ts';
import { omitUndefined } from '../../lib/json.ts';
import { listDeclarations } from '../../target/declarations.ts';
import type { ResultHeader } from '../../model/result.ts';
import { createRecordCipher, type RecordCipher } from '../../wire/record/record-cipher.ts';
import type { Timeline } from '../clock/timeline.ts';
import type { PlannedCase } from '../plan/assign.ts';
import type { RunOptions } from '../run-options.ts';
import type { RecoveryRecord } from '../context/recovery-record.ts';
import type { RunServices } from '../context/case-context.ts';
import { archiveRun } from './archive.ts';
import { copiedEntries } from './interrupted-run.ts';
import { type RemainingState, nothingRemaining } from './recover.ts';
import { resumeRun } from './resume.ts';

/** Note about the clock that its kind does not imply. */
const clockNote: Readonly<Record<Timeline['kind'], string>> = {
  real: '',
  virtual: 'Both clocks were advanced over every wait.',
};

export const createRunId = (): string => randomBytes(8).toString('hex');

function createHeader(
  options: RunOptions,
  { timeline, endpoints }: Pick<RunServices, 'timeline' | 'endpoints'>,
): ResultHeader {
  const { interface: of, run, suites, target, selection, tool, flags, shard, profile } = options;
  const { id, version } = of;
  const { name, file, fingerprint, testCarrier } = target;
  return {
    format: 'carrierspec-result',
    version: 3,
    run: run ?? createRunId(),
    interface: { id, version },
    tool,
    suites: { ...suites.digests, files: suites.files },
    target: omitUndefined({ name, file, issuer: endpoints.issuer, fingerprint, testCarrier }),
    clock: { kind: timeline.kind, note: clockNote[timeline.kind] },
    startedAt: new Date(options.begunAt ?? timeline.now()).toISOString(),
    selection: selection.what,
    profile,
    declarations: listDeclarations(target, suites),
    flags,
    ...omitUndefined({ shard }),
  };
}

/** Record of a run: its journal, and the services whose changes are noted there. */
export interface RunRecord {
  readonly options: RunOptions;
  readonly journal: Journal;
  readonly services: RunServices;
  /** Encrypts what `--resume` needs and the journal must not show; undefined if the run cannot be resumed. */
  readonly seal: ((record: RecoveryRecord) => string) | undefined;
  /** Heartbeat: flushes the journal to disk, and records new unsolicited deliveries. */
  readonly beat: () => void;
  readonly left: RemainingState;
}

const encryptWith =
  (seal: RecordCipher) =>
  (record: RecoveryRecord): string =>
    seal.encrypt(JSON.stringify(record));

/** Moves an earlier run away, so that a new run does not overwrite what it found or could still find. */
function archivePrevious({ journal, beside = [], progress }: RunOptions): void {
  const archived = archiveRun({ journal, beside });
  if (archived === undefined) return;
  const { folder, resumable } = archived;
  const text = resumable
    ? `the run that was there and had not ended is now in ${folder}; --resume --out ${folder} resumes it, after undoing what it had changed`
    : `the result that was there is now in ${folder}`;
  progress({ kind: 'note', text });
}

/** Records in the journal the changes that cases are about to make, and unsolicited deliveries. */
function createRecoveryNotes(
  opened: Pick<RunServices, 'state'>,
  journal: Journal,
  encrypt: (record: RecoveryRecord) => string,
) {
  let noted = opened.state.unsolicited.length;
  const keep = (record: RecoveryRecord): void =>
    journal.append({ kind: 'encrypted', text: { encrypted: encrypt(record) } });
  const beat = (): void => {
    for (const one of opened.state.unsolicited.slice(noted)) keep({ what: 'unsolicited', unsolicitedDelivery: one });
    noted = opened.state.unsolicited.length;
    journal.beat();
  };
  return { keep, beat };
}

/** Begins the record of a run; a resumed run first undoes the changes that the interrupted one left. */
export async function beginRecord(
  plan: readonly PlannedCase[],
  opened: RunServices,
  options: RunOptions,
): Promise<RunRecord> {
  const { resume: interrupted } = options;
  const seal = options.resumable === true ? createRecordCipher(opened.target.clients) : undefined;
  const ids = plan.map((planned) => planned.case.id);
  const left = seal === undefined ? nothingRemaining : await resumeRun(ids, opened, { seal, options });
  if (interrupted === undefined) archivePrevious(options);
  const header = interrupted?.header ?? createHeader(options, opened);
  const journal = createJournal(options.journal, header, interrupted && copiedEntries(interrupted));
  if (seal === undefined) return { options, journal, services: opened, seal: undefined, beat: journal.beat, left };
  const encrypt = encryptWith(seal);
  const { keep, beat } = createRecoveryNotes(opened, journal, encrypt);
  for (const { id, undoneAt } of left.changes) if (undoneAt !== undefined) keep({ what: 'undone', id, at: undoneAt });
  return { options, journal, services: { ...opened, keep }, seal: encrypt, beat, left };
}
