import type { InvariantJudge } from '../../judge/invariants.ts';
import type { Delivery } from '../../model/exchange.ts';
import { isJsonObject } from '../../model/json.ts';
import type { ResultHeader } from '../../model/result.ts';
import type { CorrelationKeys } from '../../wire/correlate.ts';
import type { Seal } from '../../wire/seal.ts';
import type { RecoveryRecord, Change, LeftChange, LeftRequest, SentRequest } from '../world/aside.ts';
import type { KeptLines } from '../../journal/writer.ts';
import { type Kept, refuse } from './read-kept.ts';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What must be as it was. */
export interface Fixed extends Pick<ResultHeader, 'tool' | 'selection' | 'level' | 'flags' | 'shard'> {
  readonly suites: Pick<ResultHeader['suites'], 'rules' | 'suites'>;
  readonly target: Pick<ResultHeader['target'], 'fingerprint'>;
}

/** The target file is known by what it says, wherever it stands. */
const withoutTarget = (flags: readonly string[]): readonly string[] =>
  flags.filter((flag, at) => flag !== '--target' && flags[at - 1] !== '--target');

/** Throws with all that is not as it was: what was found then would not be about the same run. */
export function requireSame(before: ResultHeader, now: Fixed): void {
  const facets: readonly (readonly [name: string, of: (header: Fixed) => unknown])[] = [
    ['the version of carrierspec', ({ tool }) => tool.version],
    ['the rules', ({ suites }) => suites.rules],
    ['the suites', ({ suites }) => suites.suites],
    ['the target file', ({ target }) => target.fingerprint],
    ['the selection', ({ selection }) => selection],
    ['--level', ({ level }) => level],
    ['--shard', ({ shard }) => shard ?? null],
    ['the flags', ({ flags }) => withoutTarget(flags)],
  ];
  const changed = facets.filter(([, of]) => !same(of(before), of(now)));
  if (changed.length === 0) return;
  const said = changed.map(
    ([name, of]) => `${name} (${JSON.stringify(of(before))} then, ${JSON.stringify(of(now))} now)`,
  );
  throw refuse('resume-differs', `--resume: not as in the run that was cut off: ${said.join('; ')}`);
}

/** The lines with the places of their cases; those of cases that are no longer in the plan are left out. */
export function linesFor({ lines, gaps }: Kept, indexes: ReadonlyMap<string, number>): KeptLines {
  return {
    gaps,
    lines: lines.flatMap(({ bytes, id }) => {
      if (id === undefined) return [{ bytes }];
      const index = indexes.get(id);
      return index === undefined ? [] : [{ bytes, id, index }];
    }),
  };
}

/** What was sealed, opened. Throws where the target's private keys are others. */
function openRecoveryRecords(
  { encrypted }: Kept,
  seal: Seal,
): readonly { readonly case?: string; readonly recoveryRecord: RecoveryRecord }[] {
  return encrypted.map(({ encrypted: closed, ...where }) => {
    const text = seal.open(closed);
    if (text === undefined) {
      throw refuse(
        'resume-differs',
        '--resume: the private keys of the target are not those of the run that was cut off',
      );
    }
    // Authenticated: nobody but a run with these keys wrote it, from an Aside.
    return { ...where, recoveryRecord: JSON.parse(text) as RecoveryRecord };
  });
}

export interface Restored {
  /** Of cases that did not come to their end; of the others those that could not be taken back. */
  readonly changes: readonly LeftChange[];
  /** Accepted. */
  readonly requests: readonly LeftRequest[];
  /** Nobody heard what came of them. */
  readonly unanswered: readonly SentRequest[];
  /** Of every request that was sent. */
  readonly correlationKeys: readonly CorrelationKeys[];
  readonly unsolicited: readonly Delivery[];
}

function correlationKeysIn(recoveryRecord: RecoveryRecord): readonly CorrelationKeys[] {
  if (recoveryRecord.what === 'sent') return [recoveryRecord.sent.correlationKeys];
  if (recoveryRecord.what !== 'accepted' || !isJsonObject(recoveryRecord.accepted.response.body)) return [];
  const id = recoveryRecord.accepted.response.body['auth_req_id'];
  return typeof id === 'string' ? [{ authReqId: id }] : [];
}

/** When what was noted came to be, by the id of the change. */
const timesOf = (recoveryRecords: readonly RecoveryRecord[], what: 'changed' | 'undone'): ReadonlyMap<string, number> =>
  new Map(
    recoveryRecords.flatMap((recoveryRecord) =>
      recoveryRecord.what === what ? [[recoveryRecord.id, recoveryRecord.at] as const] : [],
    ),
  );

/** Of cases that did not end every change; of the others those that nobody has taken back. */
function changesIn(
  recoveryRecords: readonly RecoveryRecord[],
  isUnfinished: (change: Change) => boolean,
): readonly LeftChange[] {
  const made = timesOf(recoveryRecords, 'changed');
  const undone = timesOf(recoveryRecords, 'undone');
  return recoveryRecords.flatMap((recoveryRecord): LeftChange[] => {
    if (recoveryRecord.what !== 'change') return [];
    const { change } = recoveryRecord;
    const undoneAt = undone.get(change.id);
    const ended = !isUnfinished(change);
    if (ended && undoneAt !== undefined) return [];
    const at = made.get(change.id) ?? change.at;
    return [{ ...change, at, ended, ...(undoneAt === undefined ? {} : { undoneAt }) }];
  });
}

/** Tells the invariants what was shown before, and gives back what else is left of it. */
export function restore(
  kept: Kept,
  indexes: ReadonlyMap<string, number>,
  { seal, invariants }: { readonly seal: Seal; readonly invariants: Pick<InvariantJudge, 'restore'> },
): Restored {
  const recoveryRecords = openRecoveryRecords(kept, seal);
  // Of a case that was cut off while its line was written there may be two: the later one is whole.
  const witnesses = new Map(
    recoveryRecords.flatMap(({ case: id = '', recoveryRecord }) => {
      const order = kept.cases.has(id) ? indexes.get(id) : undefined;
      return recoveryRecord.what === 'witness' && order !== undefined
        ? [[id, { ...recoveryRecord.evidence, order }] as const]
        : [];
    }),
  );
  invariants.restore([...witnesses.values()]);
  const isUnfinished = (one: { readonly case: string }): boolean => !kept.cases.has(one.case);
  const requests = recoveryRecords.flatMap(({ recoveryRecord }) =>
    recoveryRecord.what === 'accepted' && isUnfinished(recoveryRecord.accepted) ? [recoveryRecord.accepted] : [],
  );
  const known = new Set(requests.map(({ id }) => id));
  for (const { recoveryRecord } of recoveryRecords) if (recoveryRecord.what === 'refused') known.add(recoveryRecord.id);
  return {
    changes: changesIn(
      recoveryRecords.map(({ recoveryRecord }) => recoveryRecord),
      isUnfinished,
    ),
    requests,
    unanswered: recoveryRecords.flatMap(({ recoveryRecord }) =>
      recoveryRecord.what === 'sent' && isUnfinished(recoveryRecord.sent) && !known.has(recoveryRecord.sent.id)
        ? [recoveryRecord.sent]
        : [],
    ),
    correlationKeys: recoveryRecords.flatMap(({ recoveryRecord }) => correlationKeysIn(recoveryRecord)),
    unsolicited: recoveryRecords.flatMap(({ recoveryRecord }) =>
      recoveryRecord.what === 'unsolicited' ? [recoveryRecord.unsolicitedDelivery] : [],
    ),
  };
}
