import { forJson, renderJsonLines, omitUndefined } from '../../lib/json.ts';
import type { RuleResult, Result } from '../../model/result.ts';
import { renderClause } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import {
  sarifLevels,
  sarifMessage,
  nameLimit,
  ownRules,
  referencesTo,
  sarifResults,
  type RuleReference,
  ruleText,
  type SarifLevel,
} from './results.ts';
import { countNoun } from '../../lib/lists.ts';
import type { Ending } from '../../model/result.ts';
import { endingCodes, runEnding } from '../../verdict/ending.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import { stopOfRun, type UnjudgedItem, unjudgedRules } from '../shared/model.ts';
import { outcomeWords } from '../shared/run-prose.ts';
import { notesBySubject } from '../shared/notes.ts';

/** Descriptor with everything that code scanning requires. */
const descriptor = (id: string, description: string, level: SarifLevel) => ({
  id: forTerminal(id, nameLimit),
  shortDescription: ruleText(description),
  fullDescription: ruleText(description),
  help: ruleText(description),
  defaultConfiguration: { level },
});

function ruleDescriptor({ id, area, clause, level, description, interpretation, baseline }: RuleResult) {
  const words = [description, ...(interpretation === undefined ? [] : [interpretation])].join(' ');
  const help = `${renderClause(clause)}: ${words}`;
  return omitUndefined({
    ...descriptor(id, description, sarifLevels[level]),
    fullDescription: ruleText(words),
    help: ruleText(help),
    properties: {
      // `baseline` is the name of an area as well.
      tags: [...new Set([area, level, ...(baseline === true ? ['baseline'] : [])])].map((tag) =>
        forTerminal(tag, nameLimit),
      ),
    },
  });
}

/** Descriptors of the run's rules in order, then the tool's own. */
const ruleDescriptors = (rules: readonly RuleResult[]) => [
  ...rules.map(ruleDescriptor),
  descriptor(ownRules.stale, 'Every entry of expected.yaml still holds.', 'error'),
  descriptor(ownRules.incomplete, 'The run is complete: everything that was selected was judged.', 'error'),
];

/** Maximum notifications of one kind; the others are counted. */
const maxNotifications = 2000;

const notificationKinds = {
  'not-judged': 'A rule has no verdict: nothing was found against it, and it did not pass.',
  'run-outcome': 'The outcome of the run.',
  'results-left-out': 'The file has no room for every finding; the other reports have all.',
} as const;

/** Descriptors of the kinds of notifications. */
const notificationDescriptors = Object.entries(notificationKinds).map(([id, words]) => descriptor(id, words, 'note'));

function notification(kind: keyof typeof notificationKinds, level: SarifLevel, lines: readonly string[]) {
  return {
    descriptor: { id: kind, index: Object.keys(notificationKinds).indexOf(kind) },
    level,
    message: sarifMessage(lines),
  };
}

/** Notifications on rules that were not judged; as results, code scanning would make each an alert. */
function unjudgedNotifications(result: Result, reference: RuleReference) {
  const { rules } = result;
  const levels = new Map(rules.map(({ id, level, apart }) => [id, apart === true ? 'note' : sarifLevels[level]]));
  const stop = stopOfRun(result);
  const open = unjudgedRules(result);
  const stopped = open.filter(({ reason }) => reason === stop);
  const all = open.filter(({ reason }) => reason !== stop);
  const once =
    stopped.length === 0
      ? []
      : [notification('not-judged', 'warning', [`${countNoun(stopped.length, 'rule')} not judged: ${stop}`])];
  const tell = ({ id, verdict, reason }: UnjudgedItem) => ({
    ...notification('not-judged', levels.get(id) === 'error' ? 'warning' : 'note', [`${id}: ${verdict}: ${reason}`]),
    associatedRule: reference(id),
  });
  const more = all.length - maxNotifications;
  const rest = more > 0 ? [notification('not-judged', 'warning', [`${countNoun(more, 'more rule')} not judged`])] : [];
  return [...once, ...all.slice(0, maxNotifications).map(tell), ...rest];
}

/** Whether the run came to its end, which is a success whatever it found. */
const isFinished = (ending: Ending): boolean =>
  ending === 'conformant' ||
  ending === 'unjudged' ||
  ending === 'expected' ||
  ending === 'broken' ||
  ending === 'stale';

const isoTime = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))
    ? new Date(text).toISOString()
    : undefined;

const leftOutNotifications = (count: number) =>
  count === 0
    ? []
    : [
        notification('results-left-out', 'warning', [
          `${countNoun(count, 'finding')} left out: the file has room for no more`,
        ]),
      ];

/** Completion, exit code, and everything that no result says; `left` is the number of results without room. */
function sarifInvocation(result: Result, reference: RuleReference, left: number) {
  const { header, footer, rules } = result;
  const ending = runEnding(result);
  const outcome =
    footer === undefined
      ? 'cut off: the run did not reach its end, so it has no outcome'
      : `${resultHeadlineLine(result)}: ${outcomeWords({ header, footer, rules })}`;
  return omitUndefined({
    executionSuccessful: footer !== undefined && isFinished(ending),
    exitCode: endingCodes[ending],
    exitCodeDescription: sarifMessage([outcome]).text,
    startTimeUtc: isoTime(header.startedAt),
    endTimeUtc: isoTime(footer?.endedAt),
    toolExecutionNotifications: [
      notification('run-outcome', isFinished(ending) ? 'note' : 'error', [outcome]),
      ...leftOutNotifications(left),
      ...unjudgedNotifications(result, reference),
    ],
  });
}

/** Limits of code scanning: results, and bytes of a file (it counts compressed bytes, we do not). */
const maxResults = 25_000;
const maxBytes = 10_000_000;

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Encodes a name so that it contains no separator: other than letters, digits, dot, underscore and hyphen become `~hex`. */
const encodeName = (name: string): string =>
  name.replace(/[^\w.-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);

/** Results that fit, and the number that do not: errors before warnings, warnings before notes. */
function resultsWithin(result: Result, room: number) {
  const texts: Readonly<Record<SarifLevel, string[]>> = { error: [], warning: [], note: [] };
  const sizes: Record<SarifLevel, number> = { error: 0, warning: 0, note: 0 };
  let all = 0;
  for (const { level, result: one } of sarifResults(result)) {
    all += 1;
    if (sizes[level] > room || texts[level].length >= maxResults) continue;
    const text = forJson(one);
    texts[level].push(text);
    sizes[level] += Buffer.byteLength(text) + 2;
  }
  let bytes = 0;
  const sorted = [...texts.error, ...texts.warning, ...texts.note].slice(0, maxResults);
  const end = sorted.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 2;
    return bytes > room;
  });
  const kept = end === -1 ? sorted : sorted.slice(0, end);
  return { kept, left: all - kept.length };
}

function renderDriver({ header: { tool }, rules }: Result): string {
  const { name, version } = tool;
  const head = omitUndefined({ name, version, notifications: notificationDescriptors });
  return `${forJson(head).slice(0, -1)},"rules":[${[...renderJsonLines(ruleDescriptors(rules))].join('')}\n]}`;
}

function sarifProperties(result: Result) {
  const { header, footer } = result;
  return {
    run: header.run,
    interface: header.interface,
    profile: header.profile,
    clock: header.clock,
    headline: resultHeadlineLine(result),
    outcome: footer?.outcome ?? 'none: the run was cut off',
    score: footer?.score ?? null,
    ...notesBySubject(result),
  };
}

/** The result as SARIF 2.1.0, one run: a result for each finding, a notification for each rule without a verdict. */
export function* renderSarif(result: Result): Iterable<string> {
  const { header, rules } = result;
  const reference = referencesTo(rules);
  const driver = renderDriver(result);
  const rest = forJson(sarifProperties(result));
  const invocation = (left: number): string => forJson(sarifInvocation(result, reference, left));
  // Code scanning distinguishes carriers by the part before the last slash.
  const automation = { id: `carrierspec/${encodeName(header.target.name)}/${encodeName(header.run)}` };
  const besides = [driver, rest, invocation(Number.MAX_SAFE_INTEGER), forJson(automation)];
  const taken = besides.reduce((sum, text) => sum + Buffer.byteLength(text), 1000);
  const { kept, left } = resultsWithin(result, maxBytes - taken);
  yield `{\n"$schema":${forJson(schema)},\n"version":"2.1.0",\n"runs":[{\n"tool":{"driver":${driver}},\n`;
  yield `"automationDetails":${forJson(automation)},\n"columnKind":"utf16CodeUnits",\n"results":[`;
  for (const [index, text] of kept.entries()) yield `${index === 0 ? '\n' : ',\n'}${text}`;
  yield `],\n"invocations":[${invocation(left)}],\n"properties":${rest}\n}]\n}\n`;
}
