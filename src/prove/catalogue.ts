import { hintOf } from '../lib/suggest.ts';
import { defined } from '../lib/json.ts';
import { faultCatalogue, variants } from '../carrier/catalogue.ts';
import { compileGlob } from '../engine/plan/select.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Verdict } from '../model/rule.ts';

/** Killed: exactly the declared rules turned red. Misattributed: others. Survived: none. Equivalent: no difference. */
type FaultStatus = 'killed' | 'misattributed' | 'survived' | 'equivalent';
/** What became of a variant: every rule stands as on the clean carrier, or one turned. */
type VariantStatus = 'allowed' | 'refused';

/** In the order in which they are counted. */
export const statuses = [
  'killed',
  'allowed',
  'misattributed',
  'survived',
  'equivalent',
  'refused',
] as const satisfies readonly (FaultStatus | VariantStatus)[];

/** A defect, or an allowed variant, as the catalogue of the reference carrier declares it. */
export interface Subject {
  readonly name: string;
  readonly kind: 'fault' | 'variant';
  readonly description: string;
  /** Rules that must turn to fail or warn; none for a variant. */
  readonly breaks: readonly string[];
  /** It remembers something from one case to the next: its cases run one after the other. */
  readonly stateful?: true;
  /** Which rules it turns hangs on all cases before: every case runs. */
  readonly whole?: true;
  /** What the target file says of it under `supports`. */
  readonly declares?: Readonly<Record<string, boolean>>;
  /** Freedoms and choices of drawn carriers that are taken back for it, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

/** One line of the matrix. */
export interface Proof {
  readonly name: string;
  readonly kind: Subject['kind'];
  readonly status: FaultStatus | VariantStatus;
  /** Every rule whose verdict differs from the clean carrier's. */
  readonly turned: Readonly<Record<string, Verdict>>;
  /** Cases that turned red, by their names without rows. */
  readonly red: readonly string[];
  /** Cases that say that they detect it, and have no verdict because the plain case that they build on is red. */
  readonly follows?: readonly string[];
  /** Rules with a broken critical aspect: the carrier is not conformant in the profile `interface`. */
  readonly critical?: readonly string[];
  /** What is wrong, in words; empty where all is as declared. */
  readonly wrong: readonly string[];
  /** Every case ran, and which of them are red hangs on those before: the matrix has only the rules that are red. */
  readonly whole?: true;
  /** Names of the cases that ran, where those are a sample of the cases that the fault concerns. */
  readonly sampled?: readonly string[];
  /** Cases that ran again, of all. */
  readonly ran: number;
  readonly of: number;
}

export const isRed = (verdict: Verdict | undefined): boolean => verdict === 'fail' || verdict === 'warn';

export const isProved = ({ status, wrong }: Proof): boolean =>
  (status === 'killed' || status === 'allowed') && wrong.length === 0;

export const catalogue: readonly Subject[] = faultCatalogue.map(
  ({ name, description, breaks, stateful, whole, declares, except }): Subject => ({
    name,
    kind: 'fault',
    description,
    breaks,
    ...defined({ stateful, whole, declares, except }),
  }),
);

/** The variants as well. The space of conforming carriers proves them together; one by one they are proved where they are named. */
const provable: readonly Subject[] = [
  ...catalogue,
  ...variants.map(
    ({ name, description, declares = {} }): Subject => ({ name, kind: 'variant', description, breaks: [], declares }),
  ),
];

/** Those of these names or globs; every fault without any. Throws where one matches nothing. */
export function chooseSubjects(
  patterns: readonly string[],
  suggest: (wrong: string, names: string[]) => string[],
): readonly Subject[] {
  if (patterns.length === 0) return catalogue;
  const chosen = new Set<Subject>();
  for (const pattern of patterns) {
    const found = provable.filter(({ name }) => compileGlob(pattern, '').test(name));
    for (const subject of found) chosen.add(subject);
    if (found.length > 0) continue;
    const near = suggest(
      pattern,
      provable.map(({ name }) => name),
    );
    const hint = hintOf(near) ?? 'carrierspec list --faults has them';
    const message = `there is no fault or variant ${pattern}; ${hint}`;
    throw new CarrierspecError(message, { code: 'unknown-name' });
  }
  return provable.filter((subject) => chosen.has(subject));
}

/** The name of the case that a row of a matrix, `name/row`, belongs to; a case without rows has its own. */
export const matrixName = (id: string): string => id.split('/')[0] ?? id;
