import { suggestionHint } from '../../lib/suggestion.ts';
import { omitUndefined } from '../../lib/json.ts';
import { faultCatalogue, variants } from '../catalogue.ts';
import { compileGlob } from '../../engine/plan/select.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Verdict } from '../../model/rule.ts';

/** Killed: exactly the declared rules turned red. Misattributed: others. Survived: none. Equivalent: no difference. */
type FaultStatus = 'killed' | 'misattributed' | 'survived' | 'equivalent';
/** Allowed: no rule turned red. Refused: a rule turned red. */
type VariantStatus = 'allowed' | 'refused';

/** In the order of the counts. */
export const proofStatuses = [
  'killed',
  'allowed',
  'misattributed',
  'survived',
  'equivalent',
  'refused',
] as const satisfies readonly (FaultStatus | VariantStatus)[];

/** Fault or allowed variant, as the catalogue of the reference carrier declares it. */
export interface Subject {
  readonly name: string;
  readonly kind: 'fault' | 'variant';
  readonly description: string;
  /** Rules that must turn to fail or warn; none for a variant. */
  readonly breaks: readonly string[];
  /** Keeps state between cases, so its cases run one after the other. */
  readonly stateful?: true;
  /** Why required rules stay without a verdict, although nothing required is broken. */
  readonly undecided?: string;
  /** Entries under `supports` in the target file. */
  readonly declares?: Readonly<Record<string, boolean>>;
  /** Freedoms and choices of drawn carriers to take back for it, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

/** One line of the matrix. */
export interface Proof {
  readonly name: string;
  readonly kind: Subject['kind'];
  readonly status: FaultStatus | VariantStatus;
  /** Every rule whose verdict differs from the clean carrier's. */
  readonly turned: Readonly<Record<string, Verdict>>;
  /** Ids of the cases, each with its row, and of the invariants that show a rule or an aspect broken, by `RULE` or `RULE#aspect`. */
  readonly shown: Readonly<Record<string, readonly string[]>>;
  /** Rules with a broken critical aspect: the carrier is not conformant in the profile `interface`. */
  readonly critical?: readonly string[];
  /** Problems, in words; empty if all is as declared. */
  readonly wrong: readonly string[];
  /** Number of cases that ran. */
  readonly ran: number;
}

export const isRedVerdict = (verdict: Verdict | undefined): boolean => verdict === 'fail' || verdict === 'warn';

export const isProved = ({ status, wrong }: Proof): boolean =>
  (status === 'killed' || status === 'allowed') && wrong.length === 0;

export const faultSubjects: readonly Subject[] = faultCatalogue.map(
  ({ name, description, breaks, stateful, declares, undecided, except }): Subject => ({
    name,
    kind: 'fault',
    description,
    breaks,
    ...omitUndefined({ stateful, declares, undecided, except }),
  }),
);

/** Faults and variants. The space of conforming carriers proves variants together; one by one, only named ones are proved. */
const provableSubjects: readonly Subject[] = [
  ...faultSubjects,
  ...variants.map(
    ({ name, description, declares = {} }): Subject => ({ name, kind: 'variant', description, breaks: [], declares }),
  ),
];

/** Subjects that match these names or globs; every fault without any. Throws if one matches nothing. */
export function chooseSubjects(
  patterns: readonly string[],
  suggest: (wrong: string, names: string[]) => string[],
): readonly Subject[] {
  if (patterns.length === 0) return faultSubjects;
  const chosen = new Set<Subject>();
  for (const pattern of patterns) {
    const found = provableSubjects.filter(({ name }) => compileGlob(pattern, '').test(name));
    for (const subject of found) chosen.add(subject);
    if (found.length > 0) continue;
    const near = suggest(
      pattern,
      provableSubjects.map(({ name }) => name),
    );
    const hint = suggestionHint(near) ?? 'carrierspec list --kind fault has them';
    const message = `there is no fault or variant ${pattern}; ${hint}`;
    throw new CarrierspecError(message, { code: 'unknown-name' });
  }
  return provableSubjects.filter((subject) => chosen.has(subject));
}
