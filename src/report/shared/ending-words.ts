import { type Ending, endingCodes, endingOf } from '../../model/ending.ts';
import { type ExpectedResult, isStale, unexpectedOf } from '../../model/expected.ts';
import { headlineOfRun } from '../../model/headline.ts';
import type { Result } from '../../model/result.ts';
import { countOf } from '../../lib/lists.ts';

type Ended = Pick<Result, 'header' | 'footer' | 'rules'>;

/** The files of the entries, where a reader looks next. */
const filesOf = (entries: readonly ExpectedResult[]): string =>
  [...new Set(entries.map(({ position }) => position.file))].join(', ');

/** Broken rules that count, without those that only follow from others. */
const causesIn = (rules: Ended['rules']): Ended['rules'] =>
  rules.filter(({ verdict, apart, followsFrom }) => verdict === 'fail' && apart !== true && followsFrom === undefined);

function brokenWords({ footer, rules }: Ended): string {
  const expected = footer?.expected ?? [];
  const all = countOf(Math.max(1, causesIn(rules).length), 'broken rule');
  if (expected.length === 0) return all;
  const unexpected = Math.max(1, causesIn(unexpectedOf(rules, expected)).length);
  const which = unexpected === 1 ? 'is not expected' : 'are not expected';
  return `${unexpected} of ${all} ${which} (${filesOf(expected)})`;
}

const words: Readonly<Record<Ending, (ended: Ended) => string>> = {
  conformant: (ended) => headlineOfRun(ended).words,
  unjudged: (ended) => headlineOfRun(ended).words,
  expected: ({ footer, rules }) => {
    const all = countOf(Math.max(1, causesIn(rules).length), 'broken rule');
    return `${all}, all expected (${filesOf(footer?.expected ?? [])})`;
  },
  broken: brokenWords,
  stale: ({ footer }) => {
    const stale = (footer?.expected ?? []).filter(isStale);
    return `${countOf(stale.length, 'entry', 'entries')} to delete (${filesOf(stale)})`;
  },
  internal: () => 'carrierspec or its surroundings failed',
  incomplete: () => 'incomplete',
  interrupted: () => 'interrupted',
};

/** The end of a run with the code that the process ended with: `1 broken rule, all expected (expected.yaml): exit code 0`. */
export function endingWords(ended: Ended): string {
  const ending = endingOf(ended);
  return `${words[ending](ended)}: exit code ${endingCodes[ending]}`;
}
