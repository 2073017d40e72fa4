import { headlineLineOf } from '../../model/headline.ts';
import type { Result } from '../../model/result.ts';
import { defined } from '../../lib/optional.ts';
import { notesBySubject } from '../shared/notes.ts';
import { forJson, renderJsonLines } from '../shared/sanitize.ts';
import { invocationOf, notificationDescriptors } from './invocation.ts';
import { resultsOf } from './results.ts';
import { descriptorsOf, referencesTo, type SarifLevel } from './rules.ts';

/** What code scanning takes: results, and bytes of a file. It counts compressed bytes, this does not. */
const mostResults = 25_000;
const mostBytes = 10_000_000;

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Separates nothing by accident: what is no letter, digit, dot, line or hyphen is `~hex`. */
const encodeName = (name: string): string =>
  name.replace(/[^\w.-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);

interface Shelf {
  readonly texts: string[];
  bytes: number;
}

/** Results by their level, as many of each as all together may be; the rest are counted. */
function sortResults(result: Result, room: number) {
  const shelves: Readonly<Record<SarifLevel, Shelf>> = {
    error: { texts: [], bytes: 0 },
    warning: { texts: [], bytes: 0 },
    note: { texts: [], bytes: 0 },
  };
  let all = 0;
  for (const { level, result: one } of resultsOf(result)) {
    const shelf = shelves[level];
    all += 1;
    if (shelf.bytes > room || shelf.texts.length >= mostResults) continue;
    const text = forJson(one);
    shelf.texts.push(text);
    shelf.bytes += Buffer.byteLength(text) + 2;
  }
  return { all, texts: [...shelves.error.texts, ...shelves.warning.texts, ...shelves.note.texts] };
}

/** The first results that have room: errors before warnings, those before notes. */
function resultsWithin(result: Result, room: number) {
  const { all, texts } = sortResults(result, room);
  let bytes = 0;
  const fitting = texts.slice(0, mostResults).findIndex((text) => {
    bytes += Buffer.byteLength(text) + 2;
    return bytes > room;
  });
  const kept = texts.slice(0, fitting === -1 ? mostResults : fitting);
  return { kept, left: all - kept.length };
}

/** The tool with its rules, a line each. */
function renderDriver({ header: { tool }, rules }: Result): string {
  const { name, version } = tool;
  const head = defined({ name, version, notifications: notificationDescriptors });
  return `${forJson(head).slice(0, -1)},"rules":[${[...renderJsonLines(descriptorsOf(rules))].join('')}\n]}`;
}

function propertiesOf(result: Result) {
  const { header, footer } = result;
  return {
    run: header.run,
    interface: header.interface,
    profile: header.profile,
    clock: header.clock,
    headline: headlineLineOf(result),
    outcome: footer?.outcome ?? 'none: the run was cut off',
    score: footer?.score ?? null,
    ...notesBySubject(result),
  };
}

/**
 * The result as SARIF 2.1.0, one run, for code scanning: a result for each finding, with every rule of the run described. A rule
 * that was not judged is a notification of the invocation, and so nothing that could look as if it had passed.
 */
export function* renderSarif(result: Result): Iterable<string> {
  const { header, rules } = result;
  const reference = referencesTo(rules);
  const driver = renderDriver(result);
  const rest = forJson(propertiesOf(result));
  const invocation = (left: number): string => forJson(invocationOf(result, reference, left));
  // Carriers are told apart by what stands before the last slash.
  const automation = { id: `carrierspec/${encodeName(header.target.name)}/${encodeName(header.run)}` };
  const besides = [driver, rest, invocation(Number.MAX_SAFE_INTEGER), forJson(automation)];
  const taken = besides.reduce((sum, text) => sum + Buffer.byteLength(text), 1000);
  const { kept, left } = resultsWithin(result, mostBytes - taken);
  yield `{\n"$schema":${forJson(schema)},\n"version":"2.1.0",\n"runs":[{\n"tool":{"driver":${driver}},\n`;
  yield `"automationDetails":${forJson(automation)},\n"columnKind":"utf16CodeUnits",\n"results":[`;
  for (const [index, text] of kept.entries()) yield `${index === 0 ? '\n' : ',\n'}${text}`;
  yield `],\n"invocations":[${invocation(left)}],\n"properties":${rest}\n}]\n}\n`;
}
