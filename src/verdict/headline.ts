import { flagValues } from '../model/flags.ts';
import { listRanges } from '../lib/lists.ts';
import type { Profile } from '../model/profile.ts';
import type { Ending, Headline, HeadlineTone, Result, ResultHeader } from '../model/result.ts';
import type { RuleStanding, RunOutcome, Score } from '../model/rule.ts';

export interface VerdictScope {
  readonly isPartial: boolean;
  readonly profile: Profile;
  readonly testCarrier: boolean;
  readonly clock: 'real' | 'virtual';
  /** Rules that count only because they were named. */
  readonly named?: readonly string[];
}

/** Figures from which a headline is made. */
interface HeadlineFigures {
  readonly outcome: RunOutcome;
  readonly score: { readonly required: Score };
  readonly whole: number;
  /** Number of rules of each standing; a certificate has none. */
  readonly standings?: Partial<Record<RuleStanding, number>>;
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

/** Maximum number of named rules in a headline. */
const maxNamed = 4;

const verdictLimits = ({ profile, testCarrier, clock, named = [] }: VerdictScope): readonly string[] => [
  ...(testCarrier ? ['test carrier'] : []),
  ...(clock === 'virtual' ? ['virtual clock: it says nothing about real time'] : []),
  `profile ${profile}${named.length === 0 ? '' : `, and ${listRanges(named, maxNamed)} as named`}`,
];

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

/** Rules that are broken or not followed beside a conformant outcome: it never stands alone. */
function besideWords({ outcome, standings = {} }: HeadlineFigures): string {
  if (outcome !== 'conformant' && outcome !== 'not judged') return '';
  const { uncounted = 0, 'not followed': notFollowed = 0 } = standings;
  const counts = [
    ...(uncounted === 0
      ? []
      : [uncounted === 1 ? '1 rule that does not count is broken' : `${uncounted} rules that do not count are broken`]),
    ...(notFollowed === 0
      ? []
      : [notFollowed === 1 ? '1 recommendation is not followed' : `${notFollowed} recommendations are not followed`]),
  ];
  return counts.map((words) => `; ${words}`).join('');
}

/** Suffix if the ending is not that of the outcome alone. */
function headlineSuffix({ outcome, standings = {} }: HeadlineFigures, ending: Ending): string {
  if (ending === 'stale') return ', but not as expected';
  if (ending === 'expected') return ', as expected';
  if (outcome !== 'not conformant') return '';
  if (ending === 'incomplete') return ', as expected, and incomplete';
  return ending === 'interrupted' && (standings.broken ?? 0) === 0 ? ', as expected, and interrupted' : '';
}

/** Headline of a verdict. `ending` adds what only a run has: expected failures and interruptions. */
export function makeHeadline(concluded: HeadlineFigures, scope: VerdictScope, ending?: Ending): Headline {
  const { outcome } = concluded;
  const tone = (ending && endingTones[ending]) ?? headlineTone(outcome, scope);
  const suffix = ending === undefined ? '' : headlineSuffix(concluded, ending);
  return {
    tone,
    words: `${headlineWords(concluded, scope)}${suffix}${besideWords(concluded)}`,
    limits: verdictLimits(scope),
  };
}

/** Headline of a run, with the effect of expected.yaml. Every report shows this one. */
export const runHeadline = ({ header, footer }: Pick<Result, 'header' | 'footer'>): Headline =>
  footer?.headline ?? { tone: 'open', words: 'cut off', limits: verdictLimits(runScope(header)) };

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

export const resultHeadlineLine = (result: Pick<Result, 'header' | 'footer'>): string =>
  headlineLine(runHeadline(result));
