import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import { type Ending, endingCodes, endingOf } from '../../model/ending.ts';
import { headlineLineOf } from '../../model/headline.ts';
import type { Result } from '../../model/result.ts';
import { type Unjudged, unjudgedRules } from '../shared/collect.ts';
import { outcomeWords } from '../shared/run-prose.ts';
import { descriptor, levelOf, type RuleReference, type SarifLevel } from './rules.ts';
import { messageOf } from './text.ts';

/** Notifications of one kind; what is beyond them is counted. */
const mostNotifications = 2000;

const kinds = {
  'not-judged': 'A rule has no verdict: nothing was found against it, and it did not pass.',
  'run-outcome': 'What the run came to.',
  'results-left-out': 'The file has no room for every finding; the other reports have all.',
} as const;

/** What notifications are about, as the tool describes them. */
export const notificationDescriptors = Object.entries(kinds).map(([id, words]) => descriptor(id, words, 'note'));

function notification(kind: keyof typeof kinds, level: SarifLevel, lines: readonly string[]) {
  return { descriptor: { id: kind, index: Object.keys(kinds).indexOf(kind) }, level, message: messageOf(lines) };
}

/** A rule that is not judged is no result: code scanning makes an alert of each, whatever its kind. */
function notJudged({ rules }: Result, reference: RuleReference) {
  const levels = new Map(rules.map(({ id, level, apart }) => [id, apart === true ? 'note' : levelOf[level]]));
  const all = unjudgedRules(rules);
  const tell = ({ id, verdict, reason }: Unjudged) => ({
    ...notification('not-judged', levels.get(id) === 'error' ? 'warning' : 'note', [`${id}: ${verdict}: ${reason}`]),
    associatedRule: reference(id),
  });
  const more = all.length - mostNotifications;
  const rest = more > 0 ? [notification('not-judged', 'warning', [`${countOf(more, 'more rule')} not judged`])] : [];
  return [...all.slice(0, mostNotifications).map(tell), ...rest];
}

/** A run that came to its end is successful, whatever it found. */
const isWhole = (ending: Ending): boolean =>
  ending === 'conformant' ||
  ending === 'unjudged' ||
  ending === 'expected' ||
  ending === 'broken' ||
  ending === 'stale';

const iso = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))
    ? new Date(text).toISOString()
    : undefined;

const leftOut = (count: number) =>
  count === 0
    ? []
    : [
        notification('results-left-out', 'warning', [
          `${countOf(count, 'finding')} left out: the file has room for no more`,
        ]),
      ];

/** Whether the run came to its end, its exit code, and what no result says; `left` is how many results found no room. */
export function invocationOf(result: Result, reference: RuleReference, left: number) {
  const { header, footer, rules } = result;
  const ending = endingOf(result);
  const outcome =
    footer === undefined
      ? 'cut off: the run did not reach its end, so it has no outcome'
      : `${headlineLineOf(result)}: ${outcomeWords({ header, footer, rules })}`;
  return defined({
    executionSuccessful: footer !== undefined && isWhole(ending),
    exitCode: endingCodes[ending],
    exitCodeDescription: messageOf([outcome]).text,
    startTimeUtc: iso(header.startedAt),
    endTimeUtc: iso(footer?.endedAt),
    toolExecutionNotifications: [
      notification('run-outcome', isWhole(ending) ? 'note' : 'error', [outcome]),
      ...leftOut(left),
      ...notJudged(result, reference),
    ],
  });
}
