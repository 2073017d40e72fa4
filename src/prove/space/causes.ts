import { shrinkParts } from '../../explore/shrink.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { ComparedWith } from '../judge-subject.ts';
import type { Pool } from '../pool.ts';
import type { Row } from '../../lib/covering/domain.ts';
import { type DrawnProof, judgeDrawn, type Trouble } from './judge-drawn.ts';

/** The smallest set of choices that brings a verdict which no conforming carrier may get. */
export interface Cause {
  readonly choices: Row;
  readonly rules: Readonly<Record<string, Verdict>>;
  readonly cases: readonly string[];
  readonly why: string;
  /** Numbers of the drawn carriers that have these choices and these verdicts. */
  readonly carriers: readonly number[];
  /** It came again when only these choices were taken. */
  readonly again: boolean;
}

interface Growing extends Cause {
  readonly rules: Record<string, Verdict>;
  readonly carriers: number[];
}

interface Explaining extends ComparedWith {
  readonly pool: Pool;
  readonly onCause: (cause: Cause) => void;
}

/** Cases that are run again for a rule. */
const mostCases = 3;
/** Causes that are looked for; what many more have in common is not found by looking for each. */
const mostCauses = 40;

const has = (choices: Row, part: Row): boolean => Object.entries(part).every(([id, name]) => choices[id] === name);

/** What a carrier of these choices has of a trouble, with the cases in which it showed. */
async function troublesOf(choices: Row, cases: readonly string[], explaining: Explaining): Promise<readonly Trouble[]> {
  const outcome = await explaining.pool.run({ faults: [], choices, cases, serial: true });
  return judgeDrawn(outcome, explaining, choices);
}

const casesOf = ({ cases }: Trouble): readonly string[] => cases.slice(0, mostCases);

async function findCause(trouble: Trouble, proof: DrawnProof, explaining: Explaining): Promise<Growing> {
  const { rule } = trouble;
  const brings = async (part: readonly (readonly [string, string])[]): Promise<boolean> => {
    const found = await troublesOf(Object.fromEntries(part), casesOf(trouble), explaining);
    return found.some((one) => one.rule === rule);
  };
  const all = Object.entries(proof.choices);
  const cause = {
    cases: casesOf(trouble),
    why: trouble.why,
    rules: { [rule]: trouble.verdict },
    carriers: [proof.number],
  };
  // What does not show in its cases alone comes of others, or not each time.
  if (!(await brings(all))) return { ...cause, choices: proof.choices, again: false };
  const kept = await shrinkParts(
    all.map(() => true),
    (candidates) => Promise.all(candidates.map((one) => brings(all.filter((_, at) => one[at] === true)))),
  );
  const small = all.filter((_, at) => kept[at] === true);
  return { ...cause, choices: Object.fromEntries(small), again: await brings(small) };
}

/** The other troubles of a carrier that the same choices bring. */
async function spread(cause: Growing, others: readonly Trouble[], explaining: Explaining): Promise<void> {
  if (!cause.again || others.length === 0) return;
  const cases = [...new Set(others.flatMap(casesOf))];
  const found = new Set((await troublesOf(cause.choices, cases, explaining)).map(({ rule }) => rule));
  for (const { rule, verdict } of others) if (found.has(rule)) cause.rules[rule] = verdict;
}

async function explainOne(proof: DrawnProof, known: Growing[], explaining: Explaining): Promise<void> {
  let left = proof.troubles;
  while (left.length > 0) {
    const [first, ...others] = left;
    if (first === undefined || known.length >= mostCauses) return;
    const old = known.find(({ rules, choices, again }) => again && first.rule in rules && has(proof.choices, choices));
    const cause = old ?? (await findCause(first, proof, explaining));
    if (old === undefined) {
      await spread(cause, others, explaining);
      known.push(cause);
      explaining.onCause(cause);
    } else if (!old.carriers.includes(proof.number)) old.carriers.push(proof.number);
    left = others.filter(({ rule }) => !(rule in cause.rules));
  }
}

/** Two lanes can find one cause at the same time. */
function mergeEqual(causes: readonly Growing[]): readonly Cause[] {
  const merged = new Map<string, Growing>();
  for (const cause of causes) {
    const key = JSON.stringify([cause.choices, cause.again]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, cause);
    else {
      Object.assign(known.rules, cause.rules);
      known.carriers.push(...cause.carriers.filter((number) => !known.carriers.includes(number)));
    }
  }
  return [...merged.values()];
}

/** Carriers that are looked into side by side. */
const lanes = 2;

/** Shrinks every trouble to the choices that bring it; one that an earlier cause explains is not looked into again. */
export async function explain(proofs: readonly DrawnProof[], explaining: Explaining): Promise<readonly Cause[]> {
  const known: Growing[] = [];
  const left = proofs.filter(({ troubles }) => troubles.length > 0);
  const follow = async (): Promise<void> => {
    for (let proof = left.shift(); proof !== undefined; proof = left.shift())
      await explainOne(proof, known, explaining);
  };
  await Promise.all(Array.from({ length: lanes }, follow));
  return mergeEqual(known);
}
