import { type Ending, runEnding } from './ending.ts';
import { flagValues } from './flags.ts';
import type { Conclusions, Profile, Whole } from './profile.ts';
import type { Result, ResultFooter, ResultHeader } from './result.ts';
import type { Score, RunOutcome } from './rule.ts';

/** Colour of a verdict: `part` of a conformant part of the rules, `none` where nothing required was judged; both are grey. */
export type HeadlineTone = 'good' | 'part' | 'none' | 'expected' | 'bad' | 'open';

/** The verdict on a carrier as every report and the certificate show it. */
export interface Headline {
  readonly tone: HeadlineTone;
  /** `conformant in the 10 of 274 required rules that were run`. */
  readonly words: string;
  /** Limits of the verdict, a clause each: a test carrier, a virtual clock, the profile. */
  readonly limits: readonly string[];
}

export interface VerdictScope {
  readonly isPartial: boolean;
  readonly profile: Profile;
  readonly testCarrier: boolean;
  readonly clock: 'real' | 'virtual';
}

/** The figures that a headline is made of. */
interface Concluded {
  readonly outcome: RunOutcome;
  readonly score: { readonly required: Score };
  readonly conclusions: Conclusions;
  readonly whole: Whole;
}

interface Choice {
  readonly selection: readonly string[];
  readonly without: readonly string[];
}

export const isPartial = ({ selection, without }: Choice): boolean => selection.length > 0 || without.length > 0;

/** Rules that a profile counts: `required rules`; for `strict`, `required and recommended rules`. */
export const countedRules = (profile: Profile, number: 'one' | 'many' = 'many'): string =>
  `${profile === 'strict' ? 'required and recommended' : 'required'} ${number === 'one' ? 'rule' : 'rules'}`;

/** The rules of one kind that count for the outcome; `all` whatever was selected. */
interface Kind extends Pick<Score, 'judged' | 'applicable'> {
  readonly all: number;
  readonly noun: string;
  /** The noun where rules of no other kind stand beside them. */
  readonly alone: string;
}

/** The rules of the interface, and the part of the baseline that counts beside them. */
function ruleKinds({ score: { required }, conclusions, whole }: Concluded, { profile }: VerdictScope): readonly Kind[] {
  const own = conclusions.interface;
  const { judged, applicable } = own?.score ?? { judged: 0, applicable: 0 };
  const rules = countedRules(profile);
  const beside = `${profile === 'interface' && own !== undefined ? 'critical rules' : rules} of the baseline`;
  return [
    { judged, applicable, all: whole.interface, noun: `${rules} of the interface`, alone: rules },
    {
      judged: required.judged - judged,
      applicable: required.applicable - applicable,
      all: whole.counted - whole.interface,
      noun: beside,
      alone: beside,
    },
  ];
}

interface Share extends Pick<Kind, 'judged' | 'noun'> {
  readonly of: number;
}

/** Returns the share of each kind of rules; for a partial run, only kinds with a judged rule. */
function ruleShares(concluded: Concluded, scope: VerdictScope): readonly Share[] {
  const kinds = ruleKinds(concluded, scope).filter((one) => (scope.isPartial ? one.judged : one.applicable) > 0);
  return kinds.map((one) => ({
    judged: one.judged,
    of: scope.isPartial ? one.all : one.applicable,
    noun: kinds.length === 1 ? one.alone : one.noun,
  }));
}

/** `10 of 274 required rules`, or both shares where rules of both kinds were judged. */
export const judgedWords = (concluded: Concluded, scope: VerdictScope): string =>
  ruleShares(concluded, scope)
    .map(({ judged, of, noun }) => `${judged} of ${of} ${noun}`)
    .join(' and ');

export function headlineTone(outcome: RunOutcome, { isPartial: isPart }: VerdictScope): HeadlineTone {
  const conformant = isPart ? 'part' : 'good';
  return ({ conformant, 'not judged': 'none', 'not conformant': 'bad', incomplete: 'open' } as const)[outcome];
}

function wordsOf(concluded: Concluded, scope: VerdictScope): string {
  const { outcome } = concluded;
  if (outcome === 'not judged')
    return scope.profile === 'strict' ? 'no required or recommended rule was judged' : 'no required rule was judged';
  if (outcome !== 'conformant' || !scope.isPartial) return outcome;
  const shares = ruleShares(concluded, scope).map(({ judged, of, noun }) => `the ${judged} of ${of} ${noun}`);
  return `conformant in ${shares.join(' and ')} that were run`;
}

const verdictLimits = ({ profile, testCarrier, clock }: VerdictScope): readonly string[] => [
  ...(testCarrier ? ['test carrier'] : []),
  ...(clock === 'virtual' ? ['virtual clock: it says nothing about real time'] : []),
  `profile ${profile}`,
];

export const makeHeadline = (concluded: Concluded, scope: VerdictScope): Headline => ({
  tone: headlineTone(concluded.outcome, scope),
  words: wordsOf(concluded, scope),
  limits: verdictLimits(scope),
});

export const runScope = ({ selection, flags, profile, target, clock }: ResultHeader): VerdictScope => ({
  isPartial: isPartial({ selection, without: flagValues(flags, '--without') }),
  profile,
  testCarrier: target.testCarrier === true,
  clock: clock.kind,
});

/** Tones of runs that ended otherwise than their outcome says. */
const endingTones: Readonly<Partial<Record<Ending, HeadlineTone>>> = {
  expected: 'expected',
  broken: 'bad',
  stale: 'bad',
  internal: 'open',
  incomplete: 'open',
  interrupted: 'open',
};

/** Headlines of outcomes that expected.yaml changes. */
const expectedly: Readonly<Partial<Record<Ending, string>>> = {
  expected: ', as expected',
  stale: ', but not as expected',
};

/** The headline of a run, with what expected.yaml makes of it; every report shows this one. */
export function headlineOfRun({ header, footer, rules }: Pick<Result, 'header' | 'footer' | 'rules'>): Headline {
  const scope = runScope(header);
  if (footer === undefined) return { tone: 'open', words: 'cut off', limits: verdictLimits(scope) };
  const ending = runEnding({ footer, rules });
  const { tone, words, limits } = makeHeadline(footer, scope);
  return { tone: endingTones[ending] ?? tone, words: `${words}${expectedly[ending] ?? ''}`, limits };
}

/** Words for the rules that count and were not selected; undefined where the selection was the whole. */
export function leftOutWords({ header, footer }: Pick<Result, 'header' | 'footer'>): string | undefined {
  const scope = runScope(header);
  if (footer === undefined || !scope.isPartial) return undefined;
  const left = ruleKinds(footer, scope).flatMap(({ all, applicable, noun }) =>
    all > applicable ? [`${all - applicable} of ${all} ${noun}`] : [],
  );
  return left.length === 0 ? undefined : left.join(' and ');
}

/** The headline in one line: `conformant in the 10 of 274 required rules that were run (test carrier; profile interface)`. */
export const headlineLine = ({ words, limits }: Headline): string =>
  limits.length === 0 ? words : `${words} (${limits.join('; ')})`;

/** The same of a run. */
export const resultHeadlineLine = (result: Pick<Result, 'header' | 'footer' | 'rules'>): string =>
  headlineLine(headlineOfRun(result));

/** `conformant in 10 of 274 required rules`: for a cell of a table. */
export function headlineCell(header: ResultHeader, footer: ResultFooter): string {
  const scope = runScope(header);
  if (footer.outcome !== 'conformant') return makeHeadline(footer, scope).words;
  return scope.isPartial ? `conformant in ${judgedWords(footer, scope)}` : 'conformant';
}
