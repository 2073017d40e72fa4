import { conclude, type Measures } from '../../journal/conclude.ts';
import type { ExpectedResult } from '../../model/expected.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult, Result, ResultFooter, RuleResult } from '../../model/result.ts';
import type { Suites } from '../../suite/suites.ts';
import { attestationsOf, entriesOf } from '../merge/merge.ts';
import type { Selected } from '../plan/select.ts';
import { memberFlaw, shown } from './stated.ts';

/** A run that has ended, its cases without their messages. */
export interface EndedRun extends Omit<Result, 'cases'> {
  readonly cases: readonly Omit<CaseResult, 'messages'>[];
  readonly footer: ResultFooter;
}

/** The end of a journal, and its footer. */
interface Concluded {
  readonly end: Pick<Result, 'rules' | 'invariants'>;
  readonly footer: ResultFooter;
}

/** By what a run is concluded. */
export interface Concluding {
  readonly selected: Selected;
  readonly suites: Suites;
  /** The same with the areas that were left out. */
  readonly nameable: Suites;
}

/** As it was before causes were marked. */
function unmarked(marked: Finding): Finding {
  const { followsFrom: _, ...finding } = marked;
  return finding;
}

/** A day on which the entries were what they are said to be: the day of the judging is not in a result. */
function dayOf({ header, footer }: EndedRun): string {
  const expired = (footer.expected ?? []).flatMap(({ became, expires }: ExpectedResult) =>
    became === 'expired' ? [`${expires} `] : [],
  );
  const ended = header.clock.kind === 'real' ? [footer.endedAt.slice(0, 10)] : [];
  return [...expired, ...ended].toSorted().at(-1) ?? '';
}

/** What a footer says of the run itself. */
function measuresOf(footer: ResultFooter): Measures {
  const { outcome: _, reasons: __, conclusions: ___, score: ____, ...rest } = footer;
  const { areas: _____, counts: ______, expected: _______, whole: ________, ...measures } = rest;
  return measures;
}

/** What is concluded from these cases; `incomplete` is why the run could not be conformant. */
function concludedOf(run: EndedRun, concluding: Concluding, incomplete: string | undefined): Concluded {
  const { header, footer, cases, unsolicited } = run;
  const invariants = run.invariants.map((one) => ({ ...one, findings: one.findings.map(unmarked) }));
  const entries = conclude(
    { cases, invariants, unsolicited, incomplete },
    {
      ...concluding,
      attestations: attestationsOf([{ file: header.target.file, result: { ...run, cases: [] } }]),
      expected: entriesOf(footer),
      today: dayOf(run),
      profile: header.profile ?? 'hardened',
    },
    measuresOf(footer),
  );
  const found: { end: Concluded['end']; footer: ResultFooter } = {
    end: { rules: run.rules, invariants: run.invariants },
    footer,
  };
  for (const entry of entries) {
    if (entry.kind === 'end') found.end = entry.end;
    if (entry.kind === 'footer') found.footer = entry.footer;
  }
  return found;
}

function listFlaw<T extends { readonly id: string }>(
  what: string,
  stated: readonly T[],
  follows: readonly T[],
): string | undefined {
  const [there, right] = [new Set(stated.map(({ id }) => id)), new Set(follows.map(({ id }) => id))];
  const missing = follows.find(({ id }) => !there.has(id));
  if (missing !== undefined) return `there is no verdict of the ${what} ${missing.id}, and one follows from its cases`;
  const added = stated.find(({ id }) => !right.has(id));
  if (added !== undefined) return `there is a verdict of the ${what} ${added.id}, and none follows from its cases`;
  const at = follows.findIndex(({ id }, place) => stated[place]?.id !== id);
  return at < 0 ? undefined : `the ${what} ${follows[at]?.id ?? ''} does not stand in its place`;
}

/** The verdict is looked at first: it is what a reader looks at. */
const membersOf = (one: object): readonly string[] => [...new Set(['verdict', ...Object.keys(one)])];

function eachFlaw<T extends RuleResult | InvariantResult>(
  what: string,
  stated: readonly T[],
  follows: readonly T[],
): string | undefined {
  const found = listFlaw(what, stated, follows);
  if (found !== undefined) return found;
  for (const [place, right] of follows.entries()) {
    const one = stated[place];
    if (one === undefined) continue;
    const names = membersOf({ ...right, ...one });
    const wrong = memberFlaw(`the ${what} ${one.id}`, { stated: one, follows: right, from: 'its cases' }, names);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** What a footer says that follows from the verdicts. */
const concludedMembers = ['outcome', 'reasons', 'conclusions', 'whole', 'score', 'areas', 'counts', 'expected'];

/** The first verdict, or conclusion, that does not follow from the cases and invariants of a run. */
export function conclusionFlaw(run: EndedRun, concluding: Concluding): string | undefined {
  const { footer } = run;
  const whole = concludedOf(run, concluding, undefined);
  const { rules, invariants } = whole.end;
  const wrong = eachFlaw('rule', run.rules, rules) ?? eachFlaw('invariant', run.invariants, invariants);
  if (wrong !== undefined) return wrong;
  // A run that was stopped, or that lacks a part, says so before what follows from its verdicts.
  const stopped = footer.reasons.length === whole.footer.reasons.length + 1 ? footer.reasons[0] : undefined;
  if (stopped === undefined && footer.stopped === true)
    return `the run was stopped, and its reasons do not say why: ${shown(footer.reasons)}`;
  const { footer: follows } = stopped === undefined ? whole : concludedOf(run, concluding, stopped);
  return memberFlaw('the run', { stated: footer, follows, from: 'its rules' }, concludedMembers);
}
