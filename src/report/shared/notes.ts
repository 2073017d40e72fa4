import { countNoun, groupBy } from '../../lib/lists.ts';
import type { Delivery } from '../../model/exchange.ts';
import { maxUnsolicited, type Result, type RuleResult } from '../../model/result.ts';
import type { EntryState, ExpectedResult } from '../../model/expected-failure.ts';
import { isStale } from '../../verdict/expected.ts';
import { peopleWords } from '../../model/person-act.ts';
import { renderPlain } from '../../lib/json.ts';
import type { LimitResult, ProfileValue } from '../../model/limit.ts';
import { renderPosition, renderRuleRef, type RuleRef } from '../../model/rule.ts';
import { doubtWords, gapWords, lagWords, leftOutCount, passingWords } from './run-prose.ts';
import { cutText } from './sanitize.ts';

/** Deliveries that no case asked for, authenticated or not. */
export interface UnsolicitedSummary {
  /** Authenticated ones first. */
  readonly deliveries: readonly Delivery[];
  /** One clause for each kind. */
  readonly words: string;
}

const countDeliveries = (count: number): string => countNoun(count, 'delivery', 'deliveries');

const unauthenticatedWords = (count: number): string =>
  `${countDeliveries(count)} that could not be attributed to the carrier: no rule was judged by them`;

/** Returns undefined if there was none. */
export function summarizeUnsolicited({
  unsolicited,
  footer,
}: Pick<Result, 'unsolicited' | 'footer'>): UnsolicitedSummary | undefined {
  const [own, others] = [false, true].map((is) => unsolicited.filter(({ stranger = false }) => stranger === is));
  const strangers = Math.max(footer?.strangers ?? 0, others?.length ?? 0);
  const carriers = own?.length ?? 0;
  const more = carriers >= maxUnsolicited ? 'at least ' : '';
  const words = [
    ...(carriers > 0 ? [`${more}${countDeliveries(carriers)} that no case asked for`] : []),
    ...(strangers > 0 ? [unauthenticatedWords(strangers)] : []),
  ];
  return words.length === 0 ? undefined : { deliveries: [...(own ?? []), ...(others ?? [])], words: words.join(', ') };
}

/** A limit or a profile entry in English, not sanitized yet. */
export interface MeasuredProse {
  readonly name: string;
  /** Description of the limit or the behaviour. */
  readonly about: string;
  /** Result: `refuses iat older than 300 s ± 2 s`, `denied 400`, `not seen, needs a driver`. */
  readonly found: string;
  /** Whether the result says something about the carrier. */
  readonly isSeen: boolean;
  readonly rules: readonly RuleRef[];
}

export const limitInWords = ({ name, title, words, state, rules }: LimitResult): MeasuredProse => ({
  name,
  about: title,
  found: words,
  isSeen: state !== 'unmeasured',
  rules,
});

/** A recorded null means that nothing came. An absent value was not seen, and has a reason. */
export const behaviourInWords = ({ name, description, value, reason, rules }: ProfileValue): MeasuredProse => ({
  name,
  about: description,
  found: value === undefined ? `not seen, ${reason ?? 'no reason is given'}` : renderPlain(value ?? 'nothing'),
  isSeen: value !== undefined,
  rules,
});

/** `  (REQ-009, RSP-003#shape)`; empty without rules. */
export const rulesInBrackets = (rules: readonly RuleRef[]): string =>
  rules.length === 0 ? '' : `  (${rules.map(renderRuleRef).join(', ')})`;

const entryStateTexts: Readonly<Record<EntryState, (entry: ExpectedResult) => string>> = {
  failed: () => 'failed, as expected',
  'no longer fails': () => 'no longer fails',
  expired: ({ expires }) => `expired: it held until ${expires}`,
  'matches nothing': () => 'matches nothing: there is no such name',
  'not judged': () => 'was not judged, so nothing is said of it',
};

/** Current state of an entry: `expired: it held until 2026-01-31`. */
export const entryStateWords = (entry: ExpectedResult): string => entryStateTexts[entry.became](entry);

/** Advice for an entry that no longer holds; the caller adds its position. */
export const deleteAdvice = 'delete the entry that begins there';

/** `expected.yaml:4:5: rule REQ-015 no longer fails; delete the entry that begins there`. */
export const staleWords = (entry: ExpectedResult): string =>
  `${renderPosition(entry.position)}: ${entry.what} ${entry.name} ${entryStateWords(entry)}; ${deleteAdvice}`;

/** `3 entries, 1 to delete`. */
export const countExpected = (expected: readonly ExpectedResult[]): string =>
  `${countNoun(expected.length, 'entry', 'entries')}, ${expected.filter(isStale).length} to delete`;

/** Effect of stale entries on the end of a run, whatever its outcome; undefined if every entry holds. */
export function staleEndWords(expected: readonly ExpectedResult[]): string | undefined {
  const stale = expected.filter(isStale).length;
  if (stale === 0) return undefined;
  return `${countNoun(stale, 'entry', 'entries')} to delete: until then no run ends as expected, whatever the outcome`;
}

/** States whether an entry covers each broken rule; undefined if no rule is broken. */
export function coverageWords(rules: readonly RuleResult[]): string | undefined {
  const expected = rules.filter(({ standing }) => standing === 'expected');
  const unexpected = rules.filter(({ standing }) => standing === 'broken');
  if (unexpected.length > 0) return `No entry expects ${unexpected.map(({ id }) => id).join(', ')} to be broken.`;
  if (expected.length === 0) return undefined;
  return `Every broken rule is expected to be broken: ${countNoun(expected.length, 'rule')}.`;
}

/** A short line about a run that changes no verdict, not sanitized yet. */
export interface ReportNote {
  readonly about:
    | 'limit'
    | 'profile'
    | 'expected'
    | 'left'
    | 'gap'
    | 'clock'
    | 'receiver'
    | 'people'
    | 'failures'
    | 'cases';
  readonly name: string;
  readonly words: string;
}

/** Maximum characters of the words, because a recorded value can be long. */
const maxNoteText = 400;

/** Notes on measurements, expectations and gaps, for formats with one line each; none for a run without a footer. */
export function reportNotes({ footer }: Pick<Result, 'footer'>): readonly ReportNote[] {
  if (footer === undefined) return [];
  const {
    limits = [],
    profile = [],
    expected = [],
    left = [],
    gaps = [],
    doubt,
    receiverLag,
    strangers = 0,
    people,
    passing,
    leftOut,
  } = footer;
  const notes: readonly ReportNote[] = [
    ...limits.map(limitInWords).map(({ name, found }) => ({ about: 'limit' as const, name, words: found })),
    ...profile.map(behaviourInWords).map(({ name, found }) => ({ about: 'profile' as const, name, words: found })),
    ...expected.map((entry) => ({ about: 'expected' as const, name: entry.name, words: entryStateWords(entry) })),
    ...left.map((words, index) => ({ about: 'left' as const, name: `${index + 1}`, words })),
    ...gaps.map((gap, index) => ({ about: 'gap' as const, name: `${index + 1}`, words: gapWords(gap) })),
    ...(people === undefined ? [] : [{ about: 'people' as const, name: 'answers', words: peopleWords(people) }]),
    ...(leftOut === undefined ? [] : [{ about: 'cases' as const, name: 'left out', words: leftOutCount(leftOut) }]),
    ...(passing === undefined ? [] : [{ about: 'failures' as const, name: 'passing', words: passingWords(passing) }]),
    ...(doubt === undefined ? [] : [{ about: 'clock' as const, name: 'Date', words: doubtWords(doubt) }]),
    ...(receiverLag === undefined ? [] : [{ about: 'receiver' as const, name: 'lag', words: lagWords(receiverLag) }]),
    ...(strangers === 0
      ? []
      : [{ about: 'receiver' as const, name: 'strangers', words: unauthenticatedWords(strangers) }]),
  ];
  return notes.map((note) => ({ ...note, words: cutText(note.words, maxNoteText) }));
}

/** Notes by subject: `limit: ["iat-age: refuses iat older than 300 s ± 2 s"]`; empty if there are none. */
export function notesBySubject(result: Pick<Result, 'footer'>): Readonly<Record<string, readonly string[]>> {
  const subjects = [...groupBy(reportNotes(result), ({ about }) => about)];
  return Object.fromEntries(subjects.map(([about, own]) => [about, own.map(({ name, words }) => `${name}: ${words}`)]));
}
