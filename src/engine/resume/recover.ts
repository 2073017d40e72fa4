import type { InvariantJudge } from '../../judge/invariants.ts';
import type { Delivery } from '../../model/exchange.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Correlation, CorrelationKeys } from '../../model/interface.ts';
import type { RecordCipher } from '../../wire/record/encrypt.ts';
import type { Change, LeftChange, LeftRequest, RecoveryRecord, SentRequest } from '../context/recovery-record.ts';
import { type InterruptedRun, refuse } from './interrupted-run.ts';

interface Recovered {
  /** Changes of unfinished cases, and those of finished cases that could not be undone. */
  readonly changes: readonly LeftChange[];
  /** Accepted requests of unfinished cases. */
  readonly requests: readonly LeftRequest[];
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
    throw refuse('resume-differs', message);
  });
}

type Recorded<What extends RecoveryRecord['what']> = Extract<RecoveryRecord, { readonly what: What }>;

const recordsOf = <What extends RecoveryRecord['what']>(
  what: What,
  records: readonly OpenedRecord[],
): readonly Recorded<What>[] =>
  records.flatMap(({ record }) => {
    const is = (one: RecoveryRecord): one is Recorded<What> => one.what === what;
    return is(record) ? [record] : [];
  });

const timesOf = (noted: readonly { readonly id: string; readonly at: number }[]): ReadonlyMap<string, number> =>
  new Map(noted.map(({ id, at }) => [id, at]));

/** Returns all changes of unfinished cases, and those of finished cases that are not undone. */
function changesIn(records: readonly OpenedRecord[], isUnfinished: (change: Change) => boolean): readonly LeftChange[] {
  const made = timesOf(recordsOf('changed', records));
  const undone = timesOf(recordsOf('undone', records));
  return recordsOf('change', records).flatMap(({ change }): LeftChange[] => {
    const undoneAt = undone.get(change.id);
    const ended = !isUnfinished(change);
    if (ended && undoneAt !== undefined) return [];
    const at = made.get(change.id) ?? change.at;
    return [{ ...change, at, ended, ...(undoneAt === undefined ? {} : { undoneAt }) }];
  });
}

function correlationKeysIn(records: readonly OpenedRecord[], { ofResponse }: Correlation): readonly CorrelationKeys[] {
  return [
    ...recordsOf('sent', records).map(({ sent }) => sent.correlationKeys),
    ...recordsOf('accepted', records).map(({ accepted: { response } }) => ofResponse(response.body)),
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

interface Recovering {
  readonly seal: RecordCipher;
  readonly invariants: Pick<InvariantJudge, 'restore'>;
  readonly correlation: Correlation;
}

/** Restores the invariants' evidence, and returns what else the run left. `ids` are its cases in order. */
export function recover(
  interrupted: InterruptedRun,
  ids: readonly string[],
  { seal, invariants, correlation }: Recovering,
): Recovered {
  const records = openRecords(interrupted, seal);
  restoreEvidence(interrupted, records, { ids, invariants });
  const isUnfinished = (one: { readonly case: string }): boolean => !interrupted.cases.has(one.case);
  const requests = recordsOf('accepted', records).flatMap(({ accepted }) => (isUnfinished(accepted) ? [accepted] : []));
  const known = new Set([...requests, ...recordsOf('refused', records)].map(({ id }) => id));
  return {
    changes: changesIn(records, isUnfinished),
    requests,
    unanswered: recordsOf('sent', records).flatMap(({ sent }) =>
      isUnfinished(sent) && !known.has(sent.id) ? [sent] : [],
    ),
    correlationKeys: correlationKeysIn(records, correlation),
    unsolicited: recordsOf('unsolicited', records).map((record) => record.unsolicitedDelivery),
  };
}

/** State that an interrupted run left at the carrier; its requests only if they could not be denied. */
export type Left = Omit<Recovered, 'unsolicited' | 'correlationKeys'>;

export const nothingLeft: Left = { changes: [], requests: [], unanswered: [] };
