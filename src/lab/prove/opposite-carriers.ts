import { isJsonObject, omitUndefined } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Suites } from '../../suite/suites.ts';
import { isRedVerdict, type Proof, type Subject } from './catalogue.ts';
import {
  type CleanJudgement,
  groupByBrokenRule,
  judgeClean,
  type Judgement,
  buildJudgement,
  overlayJudgement,
  ruleVerdicts,
} from './judge-subject.ts';
import type { RunPool } from './pool.ts';
import type { CoverRow } from '../../lib/covering/domain.ts';
import { oppositeRows } from '../space/freedoms.ts';
import type { Freedom } from '../space/freedoms-grammar.ts';

/** Drawn carrier on which faults are proved too, as `fault@a`. */
export interface OppositeCarrier {
  readonly name: 'a' | 'b';
  readonly choices: CoverRow;
  readonly clean: CleanJudgement;
}

interface FaultProving {
  readonly suites: Suites;
  readonly pool: RunPool;
  readonly freedoms: readonly Freedom[];
  readonly onProof: (proof: Proof) => void;
}

/** Gives every proof the same two carriers, because the matrix names the rules that turned on them. */
const faultSeed = 'faults';

/** Runs, without faults, two carriers that differ as much as they may from the plain one and from each other. */
export function runOppositeCarriers({
  suites,
  pool,
  freedoms,
}: Omit<FaultProving, 'onProof'>): Promise<readonly OppositeCarrier[]> {
  const [first, second] = oppositeRows(
    freedoms.filter(({ history }) => history !== true),
    faultSeed,
  );
  return Promise.all(
    (
      [
        ['a', first],
        ['b', second],
      ] as const
    ).map(async ([name, choices]) => {
      const clean = judgeClean(suites, await pool.run({ faults: [], choices }));
      return { name, choices, clean };
    }),
  );
}

/** Setup keys that take something away, with the prefix of its words in `requires`. */
const lackedBySetup = [
  ['without_attributes', 'attribute:'],
  ['without_scopes', 'scope:'],
] as const;

/** Words of `requires` that a carrier with this choice lacks. */
function lackedWords(freedom: Freedom, name: string): readonly string[] {
  const { target = {}, setup = {} } = freedom.choices.find((one) => one.name === name) ?? {};
  const { supports, proof } = target;
  const words = isJsonObject(supports) ? Object.entries(supports) : [];
  const without = lackedBySetup.flatMap(([key, prefix]) => (setup[key] ?? []).map((one) => `${prefix}${one}`));
  return [
    ...words.flatMap(([word, has]) => (has === false ? [word] : [])),
    ...without,
    ...(isJsonObject(proof) && 'exec' in proof ? ['known-proof-format'] : []),
  ];
}

interface ShownFault {
  readonly subject: Subject;
  readonly cases: readonly string[];
  /** Rules it turned on the plain carrier; an inconclusive one may be red with fewer cases. */
  readonly turned: Proof['turned'];
}

/** Choices without those that take away a requirement of the cases, and those excepted for the fault. */
function adaptChoices(
  { subject, cases }: { readonly subject: Pick<Subject, 'except'>; readonly cases: readonly string[] },
  choices: CoverRow,
  proving: Pick<FaultProving, 'suites' | 'freedoms'>,
): CoverRow {
  const ids = new Set(cases);
  const needed = new Set(proving.suites.cases.filter(({ id }) => ids.has(id)).flatMap(({ requires }) => requires));
  const excepted = new Set(Object.keys(subject.except ?? {}));
  const stays = ([id, name]: readonly [string, string]): boolean => {
    if (excepted.has(id) || excepted.has(`${id}/${name}`)) return false;
    const freedom = proving.freedoms.find((one) => one.id === id);
    return freedom === undefined || !lackedWords(freedom, name).some((word) => needed.has(word));
  };
  return Object.fromEntries(Object.entries(choices).filter(stays));
}

const joinRuleIds = (words: readonly string[]): string => words.join(', ');

/** Problems of a fault on a drawn carrier, where it must turn one of its rules and no other. */
function compareRedRules(
  { subject: { breaks }, turned }: ShownFault,
  red: readonly string[],
  stopped: string | undefined,
): readonly string[] {
  const others = red.filter((id) => !breaks.includes(id) && turned[id] !== 'inconclusive');
  return [
    ...(stopped === undefined ? [] : [`the run had to stop: ${stopped}`]),
    ...(red.some((id) => breaks.includes(id)) ? [] : [`no declared rule turns: ${joinRuleIds(breaks)}`]),
    ...(others.length > 0 ? [`red, but not declared: ${joinRuleIds(others)}`] : []),
  ];
}

/** Drawn carrier with fewer choices, and the faults proved with them. */
interface CarrierRemainder {
  readonly where: OppositeCarrier;
  readonly choices: CoverRow;
  readonly supports: Subject['declares'];
  readonly faults: readonly ShownFault[];
}

function groupRemainders(
  faults: readonly ShownFault[],
  where: OppositeCarrier,
  proving: FaultProving,
): readonly CarrierRemainder[] {
  const left = faults.map((fault) => ({ fault, choices: adaptChoices(fault, where.choices, proving) }));
  const groups = groupBy(left, ({ fault, choices }) => JSON.stringify([choices, fault.subject.declares]));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ fault, choices }) => ({
      where,
      choices,
      supports: fault.subject.declares,
      faults: group.map((one) => one.fault),
    })),
  );
}

const remainderJob = ({ choices, supports }: CarrierRemainder, cases: readonly string[]) =>
  omitUndefined({ cases, choices, serial: true, supports });

/** Clean judgement; if choices were taken back, the faults' cases run again without faults. */
async function judgeCleanRemainder(remainder: CarrierRemainder, { pool }: FaultProving): Promise<Judgement> {
  const { where, choices, faults } = remainder;
  const { judgement } = where.clean;
  if (Object.keys(choices).length === Object.keys(where.choices).length) return judgement;
  const cases = [...new Set(faults.flatMap((one) => one.cases))];
  const outcome = await pool.run({ ...remainderJob(remainder, cases), faults: [] });
  return overlayJudgement(judgement, buildJudgement(outcome.cases, outcome.invariants));
}

/** Judgement of these cases alone: others may be red without a fault, with a choice that was taken back. */
function limitJudgement({ cases, invariants }: Judgement, ids: readonly string[]): Judgement {
  return { cases: new Map([...cases].filter(([id]) => ids.includes(id))), invariants };
}

async function proveFault(
  shown: ShownFault,
  { remainder, clean, proving }: { remainder: CarrierRemainder; clean: Judgement; proving: FaultProving },
): Promise<Proof> {
  const { subject, cases } = shown;
  const { suites, pool } = proving;
  const judgement = limitJudgement(clean, cases);
  const verdicts = ruleVerdicts(suites, judgement);
  const again = await pool.run({ ...remainderJob(remainder, cases), faults: [subject.name] });
  const after = ruleVerdicts(suites, overlayJudgement(judgement, buildJudgement(again.cases, again.invariants)));
  const turned = Object.fromEntries(
    [...after].filter(([id, verdict]) => isRedVerdict(verdict) && verdicts.get(id) !== verdict),
  );
  const red = again.cases.filter(
    ({ id, verdict }) => isRedVerdict(verdict) && judgement.cases.get(id)?.verdict !== verdict,
  );
  const wrong = compareRedRules(shown, Object.keys(turned), again.stopped);
  const survived = !subject.breaks.some((id) => id in turned);
  const proof: Proof = {
    name: `${subject.name}@${remainder.where.name}`,
    kind: 'fault',
    status: survived ? 'survived' : wrong.length > 0 ? 'misattributed' : 'killed',
    turned,
    shown: groupByBrokenRule(red),
    wrong,
    ran: again.cases.length,
  };
  proving.onProof(proof);
  return proof;
}

/** Proves faults on a drawn carrier, with the cases that showed them on the plain one. */
export async function proveOnOpposite(
  faults: readonly ShownFault[],
  where: OppositeCarrier,
  proving: FaultProving,
): Promise<readonly Proof[]> {
  const remainders = groupRemainders(faults, where, proving);
  const proofs = remainders.map(async (remainder) => {
    const clean = await judgeCleanRemainder(remainder, proving);
    return Promise.all(remainder.faults.map((fault) => proveFault(fault, { remainder, clean, proving })));
  });
  return (await Promise.all(proofs)).flat();
}
