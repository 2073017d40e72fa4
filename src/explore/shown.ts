import { groupBy } from '../lib/lists.ts';
import type { Finding } from '../model/finding.ts';
import type { MadeCase } from './cases.ts';
import type { Probe } from './probe.ts';
import type { TriedCase, TriedCases } from './try-cases.ts';

export interface Shown {
  readonly finding: Finding;
  readonly invariant?: string;
}

export interface Tried {
  readonly probe: Probe;
  readonly shown: readonly Shown[];
  /** Why there is no verdict on it. */
  readonly unjudged?: string;
}

/** The rule that is broken, and how: whichever of several places of a list shows it. */
export const breachOf = ({ rule, code, path = '' }: Pick<Finding, 'rule' | 'code' | 'path'>): string =>
  [rule, code, path.replaceAll(/\d+/g, 'n')].join(' ');

/** What two findings have in common that show the same. */
export const signatureOf = ({ finding, invariant = '' }: Shown): string => `${breachOf(finding)} ${invariant}`;

const prefixOf = (step: string | undefined, { probes }: MadeCase): string | undefined =>
  probes.size === 1 ? [...probes.keys()][0] : [...probes.keys()].find((prefix) => step?.startsWith(prefix) === true);

/** What is open is no finding. */
const isRed = ({ finding }: Shown): boolean => finding.level !== 'informational';

interface Of {
  readonly step: string | undefined;
  readonly shown: Shown;
}

function shownIn(result: TriedCase, ofInvariants: readonly (readonly [string, Finding])[]): readonly Of[] {
  const stepOf = new Map(result.messages.map(({ id, step }) => [id, step]));
  return [
    ...result.findings.map((finding) => ({ step: finding.step, shown: { finding } })),
    ...ofInvariants.map(([invariant, finding]) => ({
      step: stepOf.get(finding.message ?? ''),
      shown: { finding, invariant },
    })),
  ];
}

function triedIn(
  made: MadeCase,
  result: TriedCase,
  ofInvariants: readonly (readonly [string, Finding])[],
): readonly Tried[] {
  const shown = groupBy(
    shownIn(result, ofInvariants).filter((one) => isRed(one.shown)),
    ({ step }) => prefixOf(step, made) ?? '',
  );
  const unjudged = result.reason;
  return [...made.probes].map(([prefix, probe]) => ({
    probe,
    shown: (shown.get(prefix) ?? []).map((one) => one.shown),
    ...(unjudged === undefined ? {} : { unjudged }),
  }));
}

export function shownBy(made: readonly MadeCase[], { cases, invariants }: TriedCases): readonly Tried[] {
  const results = new Map(cases.map((one) => [one.id, one]));
  const broken = groupBy(
    invariants.flatMap(({ id, findings }) => findings.map((finding) => [id, finding] as const)),
    ([, { seenIn = '' }]) => seenIn,
  );
  return made.flatMap((one) => {
    const result = results.get(one.id);
    return result === undefined ? [] : triedIn(one, result, broken.get(one.id) ?? []);
  });
}
