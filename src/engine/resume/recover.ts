import type { InvariantJudge } from '../../judge/invariants.ts';
import type { Delivery } from '../../model/exchange.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Correlation, CorrelationKeys } from '../../model/interface.ts';
import type { RecordCipher } from '../../wire/record/record-cipher.ts';
import type {
  RecordedChange,
  RemainingChange,
  RemainingRequest,
  RecoveryRecord,
  SentRequest,
} from '../context/recovery-record.ts';
import { refuseResume } from './interrupted-run.ts';
import type { InterruptedRun } from '../run-options.ts';

interface RecoveredState {
  /** Changes of unfinished cases, and those of finished cases that could not be undone. */
  readonly changes: readonly RemainingChange[];
  /** Accepted requests of unfinished cases. */
  readonly requests: readonly RemainingRequest[];
  /** Requests of unfinished cases without a known outcome. */
  readonly unanswered: readonly SentRequest[];
  /** Keys of all requests sent. */
  readonly correlationKeys: readonly CorrelationKeys[];
  readonly unsolicited: readonly Delivery[];
}

interface OpenedRecord {
  readonly case?: string;
  readonly record: RecoveryRecord;
}

/** The text is authenticated: a run with this target's keys wrote it from a RecoveryRecord. */
const isRecoveryRecord = (value: unknown): value is RecoveryRecord =>
  isJsonObject(value) && typeof value['what'] === 'string';

/** Decrypts the recovery records. Throws if the target's private keys differ. */
function openRecords({ entries }: InterruptedRun, seal: RecordCipher): readonly OpenedRecord[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'encrypted') return [];
    const { encrypted, ...where } = entry.text;
    const text = seal.decrypt(encrypted);
    const record: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isRecoveryRecord(record)) return [{ ...where, record }];
    const message = '--resume: the private keys of the target are not those of the run that was cut off';
    throw refuseResume('resume-differs', message);
  });
}

type RecordOfKind<What extends RecoveryRecord['what']> = Extract<RecoveryRecord, { readonly what: What }>;

const filterRecords = <What extends RecoveryRecord['what']>(
  what: What,
  records: readonly OpenedRecord[],
): readonly RecordOfKind<What>[] =>
  records.flatMap(({ record }) => {
    const is = (one: RecoveryRecord): one is RecordOfKind<What> => one.what === what;
    return is(record) ? [record] : [];
  });

const timesById = (noted: readonly { readonly id: string; readonly at: number }[]): ReadonlyMap<string, number> =>
  new Map(noted.map(({ id, at }) => [id, at]));

/** Returns all changes of unfinished cases, and those of finished cases that are not undone. */
function recoveredChanges(
  records: readonly OpenedRecord[],
  isUnfinished: (change: RecordedChange) => boolean,
): readonly RemainingChange[] {
  const made = timesById(filterRecords('changed', records));
  const undone = timesById(filterRecords('undone', records));
  return filterRecords('change', records).flatMap(({ change }): RemainingChange[] => {
    const undoneAt = undone.get(change.id);
    const ended = !isUnfinished(change);
    if (ended && undoneAt !== undefined) return [];
    const at = made.get(change.id) ?? change.at;
    return [{ ...change, at, ended, ...(undoneAt === undefined ? {} : { undoneAt }) }];
  });
}

function recoveredKeys(records: readonly OpenedRecord[], { ofResponse }: Correlation): readonly CorrelationKeys[] {
  return [
    ...filterRecords('sent', records).map(({ sent }) => sent.correlationKeys),
    ...filterRecords('accepted', records).map(({ accepted: { response } }) => ofResponse(response.body)),
  ];
}

function restoreEvidence(
  { cases }: InterruptedRun,
  records: readonly OpenedRecord[],
  { ids, invariants }: { readonly ids: readonly string[]; readonly invariants: Pick<InvariantJudge, 'restore'> },
): void {
  const orders = new Map(ids.map((id, order) => [id, order]));
  // A case interrupted while its entry was written may have two records: the later one is complete.
  const evidence = new Map(
    records.flatMap(({ case: id = '', record }) => {
      const order = cases.has(id) ? orders.get(id) : undefined;
      return record.what === 'witness' && order !== undefined ? [[id, { ...record.evidence, order }] as const] : [];
    }),
  );
  invariants.restore([...evidence.values()]);
}

interface RecoveryServices {
  readonly seal: RecordCipher;
  readonly invariants: Pick<InvariantJudge, 'restore'>;
  readonly correlation: Correlation;
}

/** Restores the invariants' evidence, and returns what else the run left. `ids` are its cases in order. */
export function recoverRun(
  interrupted: InterruptedRun,
  ids: readonly string[],
  { seal, invariants, correlation }: RecoveryServices,
): RecoveredState {
  const records = openRecords(interrupted, seal);
  restoreEvidence(interrupted, records, { ids, invariants });
  const isUnfinished = (one: { readonly case: string }): boolean => !interrupted.cases.has(one.case);
  const requests = filterRecords('accepted', records).flatMap(({ accepted }) =>
    isUnfinished(accepted) ? [accepted] : [],
  );
  const known = new Set([...requests, ...filterRecords('refused', records)].map(({ id }) => id));
  return {
    changes: recoveredChanges(records, isUnfinished),
    requests,
    unanswered: filterRecords('sent', records).flatMap(({ sent }) =>
      isUnfinished(sent) && !known.has(sent.id) ? [sent] : [],
    ),
    correlationKeys: recoveredKeys(records, correlation),
    unsolicited: filterRecords('unsolicited', records).map((record) => record.unsolicitedDelivery),
  };
}

/** State that an interrupted run left at the carrier; its requests only if they could not be denied. */
export type RemainingState = Omit<RecoveredState, 'unsolicited' | 'correlationKeys'>;

export const nothingRemaining: RemainingState = { changes: [], requests: [], unanswered: [] };
