import type { InvariantJudge } from '../../judge/invariants.ts';
import type { Delivery } from '../../model/exchange.ts';
import { isJsonObject } from '../../model/json.ts';
import type { ResultHeader } from '../../model/result.ts';
import type { Ties } from '../../wire/correlate.ts';
import type { Seal } from '../../wire/seal.ts';
import type { Aside, Change, LeftChange, LeftRequest, SentRequest } from '../world/aside.ts';
import type { KeptLines } from '../journal.ts';
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
function openAsides({ sealed }: Kept, seal: Seal): readonly { readonly case?: string; readonly aside: Aside }[] {
  return sealed.map(({ sealed: closed, ...where }) => {
    const text = seal.open(closed);
    if (text === undefined) {
      throw refuse(
        'resume-differs',
        '--resume: the private keys of the target are not those of the run that was cut off',
      );
    }
    // Authenticated: nobody but a run with these keys wrote it, from an Aside.
    return { ...where, aside: JSON.parse(text) as Aside };
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
  readonly ties: readonly Ties[];
  readonly strays: readonly Delivery[];
}

function tiesIn(aside: Aside): readonly Ties[] {
  if (aside.what === 'sent') return [aside.sent.ties];
  if (aside.what !== 'accepted' || !isJsonObject(aside.accepted.answer.body)) return [];
  const id = aside.accepted.answer.body['auth_req_id'];
  return typeof id === 'string' ? [{ authReqId: id }] : [];
}

/** When what was noted came to be, by the id of the change. */
const timesOf = (asides: readonly Aside[], what: 'changed' | 'undone'): ReadonlyMap<string, number> =>
  new Map(asides.flatMap((aside) => (aside.what === what ? [[aside.id, aside.at] as const] : [])));

/** Of cases that did not end every change; of the others those that nobody has taken back. */
function changesIn(asides: readonly Aside[], isUnfinished: (change: Change) => boolean): readonly LeftChange[] {
  const made = timesOf(asides, 'changed');
  const undone = timesOf(asides, 'undone');
  return asides.flatMap((aside): LeftChange[] => {
    if (aside.what !== 'change') return [];
    const { change } = aside;
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
  const asides = openAsides(kept, seal);
  // Of a case that was cut off while its line was written there may be two: the later one is whole.
  const witnesses = new Map(
    asides.flatMap(({ case: id = '', aside }) => {
      const order = kept.cases.has(id) ? indexes.get(id) : undefined;
      return aside.what === 'witness' && order !== undefined ? [[id, { ...aside.witness, order }] as const] : [];
    }),
  );
  invariants.restore([...witnesses.values()]);
  const isUnfinished = (one: { readonly case: string }): boolean => !kept.cases.has(one.case);
  const requests = asides.flatMap(({ aside }) =>
    aside.what === 'accepted' && isUnfinished(aside.accepted) ? [aside.accepted] : [],
  );
  const known = new Set(requests.map(({ id }) => id));
  for (const { aside } of asides) if (aside.what === 'refused') known.add(aside.id);
  return {
    changes: changesIn(
      asides.map(({ aside }) => aside),
      isUnfinished,
    ),
    requests,
    unanswered: asides.flatMap(({ aside }) =>
      aside.what === 'sent' && isUnfinished(aside.sent) && !known.has(aside.sent.id) ? [aside.sent] : [],
    ),
    ties: asides.flatMap(({ aside }) => tiesIn(aside)),
    strays: asides.flatMap(({ aside }) => (aside.what === 'stray' ? [aside.stray] : [])),
  };
}
