import type { Probe, Setting } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { differenceOf, labels, stepsBefore, withClient, withNames, withPrefix } from './combined.ts';
import { overlap, touchedIn } from './difference-json.ts';
import type { Part, Value } from './part.ts';
import { expectationOf, type Point } from './points.ts';
import { type Combination, dealtCombinations } from './rows.ts';

export interface RefusedGround {
  readonly parts: readonly Part[];
  readonly points: readonly Point[];
}

/** What of the case is said again, so that the request means the same. */
function settingOf({ case: { client, subscriber, requires } }: Point): Setting {
  const own = requires.filter((need) => !/^(?:action|client|subscriber):/.test(need));
  return {
    ...(typeof client === 'string' && client !== 'main' ? { client } : {}),
    ...(subscriber === 'consented' ? {} : { subscriber }),
    ...(own.length === 0 ? {} : { requires: own }),
  };
}

/** Where a difference names a registration or a subscriber, whose request it is makes a difference. */
const readsClients = (difference: JsonObject): boolean =>
  /\b(?:clients?|subscribers?)\./.test(JSON.stringify(difference));

/** The parts beside a deviation that may have other values. */
function partsBeside({ difference, control = {}, case: { client } }: Point, parts: readonly Part[]): readonly Part[] {
  const touched = new Set([...touchedIn(difference), ...touchedIn(control)]);
  const fixed = client !== 'main' || readsClients(difference) || touched.has('key') || touched.has('client');
  const fits = ({ difference: one, client: other }: Value): boolean =>
    !overlap(difference, one) && !(fixed && other !== undefined);
  return parts.map(({ id, values }) => ({ id, values: values.filter(fits) })).filter(({ values }) => values.length > 1);
}

/** A JSON body by POST, whatever is in it: its refusal has one form (§2.5). */
const isJsonPost = (difference: JsonObject): boolean =>
  !['method', 'form', 'headers', 'text', 'body'].some((key) => Object.hasOwn(difference, key));

function refusedProbe(point: Point, combination: Combination): Probe {
  const { difference: deviation, rule, outcome, control = {} } = point;
  return {
    kind: 'members',
    base: point.from,
    rules: [rule],
    title: (kept) => `${point.case.title}, also ${withNames(combination, kept)}`.replace(/, also $/, '').trim(),
    setting: (kept) => withClient(settingOf(point), combination, kept),
    parts: labels(combination),
    varies: combination.map(({ part }) => part),
    steps: (kept, prefix) => {
      const difference = differenceOf(combination, kept, deviation);
      const form = outcome === 'denied' && isJsonPost(deviation) ? [{ rule: 'TRN-015', check: 'refusal-form' }] : [];
      const expect = [expectationOf(point), ...form];
      return (
        difference && [
          ...stepsBefore(combination, kept, prefix),
          { as: `${prefix}request`, authorize: withPrefix(difference, prefix), expect },
        ]
      );
    },
    control,
    alone: false,
    requests: 1,
  };
}

/** Values of each part beside a deviation, and rows of them: each value stands in one, and many pairs do. */
const beside = { perPart: 5, rows: 6 };

/** Objects that bring the key they are signed with, where no suite lists it: who made them has chosen it (§2.2). */
function selfSigned(points: readonly Point[]): readonly Point[] {
  const like = points.find(({ difference: { key, tamper } }) => key === 'unregistered' && tamper !== undefined);
  if (like === undefined) return [];
  const difference = { key: 'unregistered', tamper: 'claims-bind-signer' };
  return [difference, { ...difference, dropHeader: ['kid'] }].map((one, at) => ({
    ...like,
    from: `signed with its own referred_binding ${at + 1}`,
    difference: one,
  }));
}

/** Each listed deviation, alone of its kind, beside other conforming values: it must still be refused. */
export function refusedProbes({ parts, points }: RefusedGround, seed: string, refused: number): readonly Probe[] {
  const deviations = [
    ...points.filter(({ outcome, case: { receiver } }) => outcome !== 'accepted' && receiver.length === 0),
    ...selfSigned(points),
  ];
  const rows = Math.max(1, Math.min(beside.rows, Math.floor(refused / Math.max(1, deviations.length))));
  const all = deviations.map((point, at) =>
    dealtCombinations(partsBeside(point, parts), {
      seed: `${seed} refused ${at}`,
      strength: 2,
      count: rows,
      perPart: beside.perPart,
    }).map((combination) => refusedProbe(point, combination)),
  );
  // One row of each deviation, then the next: what is found soon is found in every rule.
  const turns = Array.from({ length: rows }, (_, turn) =>
    randomOf(`${seed} ${turn}`).shuffled(all.flatMap((one) => one[turn] ?? [])),
  );
  return turns.flat().slice(0, refused);
}
