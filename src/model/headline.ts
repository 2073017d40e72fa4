import { type Ending, runEnding } from './ending.ts';
import { flagValues } from './flags.ts';
import type { Profile } from './profile.ts';
import type { Result, ResultFooter, ResultHeader } from './result.ts';
import type { Score, RunOutcome } from './rule.ts';

/** Colour of a verdict. `part`: conformant in some of the rules. `none`: nothing required was judged. Both are grey. */
export type HeadlineTone = 'good' | 'part' | 'none' | 'expected' | 'bad' | 'open';

/** Verdict on a carrier as shown by every report and the certificate. */
export interface Headline {
  readonly tone: HeadlineTone;
  /** `conformant in the 10 of 274 required rules that were run`. */
  readonly words: string;
  /** Limits of the verdict, one phrase each: test carrier, virtual clock, profile. */
  readonly limits: readonly string[];
}

export interface VerdictScope {
  readonly isPartial: boolean;
  readonly profile: Profile;
  readonly testCarrier: boolean;
  readonly clock: 'real' | 'virtual';
}

/** Figures from which a headline is made. */
interface HeadlineFigures {
  readonly outcome: RunOutcome;
  readonly score: { readonly required: Score };
  readonly whole: number;
}

interface RunSelection {
  readonly selection: readonly string[];
  readonly without: readonly string[];
}

export const isPartial = ({ selection, without }: RunSelection): boolean => selection.length > 0 || without.length > 0;

/** Rules that a profile counts: `required rules`; for `strict`, `required and recommended rules`. */
export const countedRules = (profile: Profile, number: 'one' | 'many' = 'many'): string =>
  `${profile === 'strict' ? 'required and recommended' : 'required'} ${number === 'one' ? 'rule' : 'rules'}`;

/** `10 of 274 required rules`: judged, and those that apply; in a partial run, all that count. */
export function judgedShare({ score: { required }, whole }: HeadlineFigures, scope: VerdictScope): string {
  return `${required.judged} of ${scope.isPartial ? whole : required.applicable} ${countedRules(scope.profile)}`;
}

function headlineTone(outcome: RunOutcome, { isPartial: isPart }: VerdictScope): HeadlineTone {
  const conformant = isPart ? 'part' : 'good';
  return ({ conformant, 'not judged': 'none', 'not conformant': 'bad', incomplete: 'open' } as const)[outcome];
}

function headlineWords(concluded: HeadlineFigures, scope: VerdictScope): string {
  const { outcome } = concluded;
  if (outcome === 'not judged')
    return scope.profile === 'strict' ? 'no required or recommended rule was judged' : 'no required rule was judged';
  if (outcome !== 'conformant' || !scope.isPartial) return outcome;
  return `conformant in the ${judgedShare(concluded, scope)} that were run`;
}

const verdictLimits = ({ profile, testCarrier, clock }: VerdictScope): readonly string[] => [
  ...(testCarrier ? ['test carrier'] : []),
  ...(clock === 'virtual' ? ['virtual clock: it says nothing about real time'] : []),
  `profile ${profile}`,
];

export const makeHeadline = (concluded: HeadlineFigures, scope: VerdictScope): Headline => ({
  tone: headlineTone(concluded.outcome, scope),
  words: headlineWords(concluded, scope),
  limits: verdictLimits(scope),
});

export const runScope = ({ selection, flags, profile, target, clock }: ResultHeader): VerdictScope => ({
  isPartial: isPartial({ selection, without: flagValues(flags, '--without') }),
  profile,
  testCarrier: target.testCarrier === true,
  clock: clock.kind,
});

/** Tones of endings that override the tone of the outcome. */
const endingTones: Readonly<Partial<Record<Ending, HeadlineTone>>> = {
  expected: 'expected',
  broken: 'bad',
  stale: 'bad',
  internal: 'open',
  incomplete: 'open',
  interrupted: 'open',
};

/** Suffixes of the headline if expected.yaml changes the ending. */
const headlineSuffixes: Readonly<Partial<Record<Ending, string>>> = {
  expected: ', as expected',
  stale: ', but not as expected',
};

/** Headline of a run, with the effect of expected.yaml. Every report shows this one. */
export function runHeadline({ header, footer, rules }: Pick<Result, 'header' | 'footer' | 'rules'>): Headline {
  const scope = runScope(header);
  if (footer === undefined) return { tone: 'open', words: 'cut off', limits: verdictLimits(scope) };
  const ending = runEnding({ footer, rules });
  const { tone, words, limits } = makeHeadline(footer, scope);
  return { tone: endingTones[ending] ?? tone, words: `${words}${headlineSuffixes[ending] ?? ''}`, limits };
}

/** Counts the rules that matter for the outcome but were not selected; undefined if none. */
export function unselectedRules({ header, footer }: Pick<Result, 'header' | 'footer'>): string | undefined {
  const scope = runScope(header);
  if (footer === undefined || !scope.isPartial) return undefined;
  const { whole, score } = footer;
  const left = whole - score.required.applicable;
  return left <= 0 ? undefined : `${left} of ${whole} ${countedRules(scope.profile)}`;
}

/** Headline in one line: `conformant in the 10 of 274 required rules that were run (test carrier; profile interface)`. */
export const headlineLine = ({ words, limits }: Headline): string =>
  limits.length === 0 ? words : `${words} (${limits.join('; ')})`;

export const resultHeadlineLine = (result: Pick<Result, 'header' | 'footer' | 'rules'>): string =>
  headlineLine(runHeadline(result));

/** Headline for a table cell: `conformant in 10 of 274 required rules`. */
export function headlineCell(header: ResultHeader, footer: ResultFooter): string {
  const scope = runScope(header);
  if (footer.outcome !== 'conformant') return makeHeadline(footer, scope).words;
  return scope.isPartial ? `conformant in ${judgedShare(footer, scope)}` : 'conformant';
}
