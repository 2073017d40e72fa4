import type { ExpectedResult } from '../../model/expected-failure.ts';
import { countNoun, listRanges } from '../../lib/lists.ts';

/** Names the cause of a consequence: `follows from REQ-015: the reason`. It says so of a cause that is no rule of the result. */
export function followsWords(cause: string, reason?: string, rules?: readonly { readonly id: string }[]): string {
  const aside = rules === undefined || rules.some(({ id }) => id === cause) ? '' : ', which was not selected';
  return `follows from ${cause}${aside}${reason === undefined ? '' : `: ${reason}`}`;
}

/** `expected failure: signatures come later (platform team, until 2026-12-31)`. */
export const expectedWords = ({ reason, owner, expires }: ExpectedResult): string =>
  `expected failure: ${reason} (${owner}, until ${expires})`;

/** Consequences of one rule's findings, shown folded under them (P2). */
export interface Consequences {
  /** Rules with findings of the same fact; `findings` is their number. */
  readonly broken: Set<string>;
  findings: number;
  /** Rules and cases without a verdict because of it. */
  readonly unjudged: Set<string>;
  readonly cases: Set<string>;
}

/** Collects consequences by cause; `under` returns those of one rule. */
export function collectConsequences() {
  const all = new Map<string, Consequences>();
  const under = (cause: string): Consequences => {
    const known = all.get(cause) ?? { broken: new Set(), findings: 0, unjudged: new Set(), cases: new Set() };
    all.set(cause, known);
    return known;
  };
  return { all, under };
}

const idLimit = 12;
const foldIds = (ids: ReadonlySet<string>): string => listRanges(ids, idLimit);

/** `3 findings of CB-019 and CB-020; no verdict for 26 rules: …`; undefined where nothing follows. */
export function consequenceWords(following: Consequences | undefined): string | undefined {
  if (following === undefined) return undefined;
  const { broken, findings, unjudged, cases } = following;
  const parts = [
    ...(broken.size === 0 ? [] : [`${countNoun(findings, 'finding')} of ${foldIds(broken)}`]),
    ...(unjudged.size === 0 ? [] : [`no verdict on ${countNoun(unjudged.size, 'rule')}: ${foldIds(unjudged)}`]),
    ...(cases.size === 0 ? [] : [`${countNoun(cases.size, 'case')} without a verdict: ${foldIds(cases)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
