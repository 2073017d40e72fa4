import type { Finding } from '../../model/finding.ts';
import type { CaseResult, RuleResult } from '../../model/result.ts';
import { countOf, listFolded } from '../../lib/lists.ts';

/** What follows from the findings of one rule: it is folded under them (P2). */
export interface Following {
  /** Rules with findings of the same fact, and how many findings those are. */
  readonly broken: Set<string>;
  findings: number;
  /** Rules without a verdict because of it, and cases that did not get one. */
  readonly unjudged: Set<string>;
  readonly cases: Set<string>;
}

export interface Followers {
  /** Takes a finding that another one explains. */
  readonly takeFinding: (finding: Finding) => void;
  readonly takeCase: (ended: Pick<CaseResult, 'id' | 'verdict' | 'followsFrom'>) => void;
  readonly takeRule: (rule: Pick<RuleResult, 'id' | 'verdict' | 'followsFrom'>) => void;
  readonly of: ReadonlyMap<string, Following>;
}

/** Collects what follows from which rule. */
export function collectFollowers(): Followers {
  const all = new Map<string, Following>();
  const of = (cause: string): Following => {
    const known = all.get(cause) ?? { broken: new Set(), findings: 0, unjudged: new Set(), cases: new Set() };
    all.set(cause, known);
    return known;
  };
  return {
    takeFinding: ({ rule, followsFrom }) => {
      if (followsFrom === undefined || followsFrom === rule) return;
      of(followsFrom).broken.add(rule);
      of(followsFrom).findings += 1;
    },
    takeCase: ({ id, verdict, followsFrom }) => {
      if (verdict === 'inconclusive' && followsFrom !== undefined) of(followsFrom.rule).cases.add(id);
    },
    takeRule: ({ id, verdict, followsFrom }) => {
      if (verdict === 'inconclusive' && followsFrom !== undefined) of(followsFrom).unjudged.add(id);
    },
    of: all,
  };
}

const idLimit = 12;
const named = (ids: ReadonlySet<string>): string => listFolded(ids, idLimit);

/** `3 findings of CB-019 and CB-020; no verdict for 26 rules: …`; undefined where nothing follows. */
export function followingWords(following: Following | undefined): string | undefined {
  if (following === undefined) return undefined;
  const { broken, findings, unjudged, cases } = following;
  const parts = [
    ...(broken.size === 0 ? [] : [`${countOf(findings, 'finding')} of ${named(broken)}`]),
    ...(unjudged.size === 0 ? [] : [`no verdict on ${countOf(unjudged.size, 'rule')}: ${named(unjudged)}`]),
    ...(cases.size === 0 ? [] : [`${countOf(cases.size, 'case')} without a verdict: ${named(cases)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
