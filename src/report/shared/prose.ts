import type { Finding, FindingCode } from '../../model/finding.ts';
import { type Json, isList } from '../../lib/json.ts';
import type { InvariantResult, RuleResult } from '../../model/result.ts';
import type { Binding, Verdict } from '../../model/rule.ts';
import { parseMark, sentLength } from '../../model/redaction-mark.ts';
import { outcomes, outcomeTable } from '../../model/outcome.ts';
import type { MessageKind } from '../../model/suite.ts';
import { countNoun } from '../../lib/lists.ts';
import { cutText, showValue } from './sanitize.ts';

/** Adds § to a clause number; clauses of other standards stay as they are. */
export const renderClause = (clause: string): string => (/^\d/.test(clause) ? `§${clause}` : clause);

/** A finding in English, not sanitized for a terminal or XML yet. */
interface FindingProse {
  readonly expected: string;
  readonly actual: string;
  /** Actual against expected, one sentence without a full stop. */
  readonly summary: string;
}

export const verdictLegend: Readonly<Record<Verdict, string>> = {
  pass: 'everything that was expected held',
  informational: 'the interface leaves the behaviour open, and the run recorded it',
  warn: 'a recommended rule was not followed',
  inconclusive: 'a condition was not met, so nothing is said about the carrier',
  error: 'the tool or its surroundings failed, so nothing is said about the carrier',
  fail: 'a required rule was broken',
  attested: 'the operator says that the rule holds, and no run judged it',
  'not-applicable': 'the target declares that it has no such feature',
  'not-run': 'it did not run to its end; the reason is given',
};

/** Level of a rule; if the profile raised it, also the stated level. */
export const levelWords = ({ level, stated }: Binding): string =>
  stated === undefined ? level : `${stated}, ${level} in this run`;

/** Sentence of a rule, or of its aspect: an aspect with a level of its own may say the opposite of its rule. */
export const ruleSentence = (
  { aspects, description }: Pick<RuleResult, 'aspects' | 'description'>,
  ref: string,
): string => aspects?.[ref] ?? description;

export const clockLegend: Readonly<Record<'real' | 'virtual', string>> = {
  real: 'real: every wait lasted as long as the rule says',
  virtual: 'virtual: a result on the virtual clock cannot certify a production carrier',
};

export const messageKindWords: Readonly<Record<MessageKind, readonly [one: string, many: string]>> = {
  message: ['message', 'messages'],
  response: ['response', 'responses'],
  accepted: ['accepted response', 'accepted responses'],
  refused: ['refusal', 'refusals'],
  delivery: ['delivery', 'deliveries'],
  callback: ['callback', 'callbacks'],
  tokens: ['callback with tokens', 'callbacks with tokens'],
  'callback-error': ['error callback', 'error callbacks'],
  event: ['event', 'events'],
  userinfo: ['user info response', 'user info responses'],
  usertrait: ['usertrait response', 'usertrait responses'],
  token: ['token response', 'token responses'],
  discovery: ['discovery response', 'discovery responses'],
  jwks: ['JWKS response', 'JWKS responses'],
  cancel: ['cancel response', 'cancel responses'],
  run: ['run', 'runs'],
};

/** Maximum characters of an expected or actual value and of a summary. */
const maxProse = 400;
const maxProseValue = 300;

const plainValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A finding has null for an absent member too, because JSON has no undefined. */
const orAbsent = (value: Json): string =>
  value === null ? 'nothing (absent or null)' : showValue(value, maxProseValue);

/** Appends the length of a text if the expectation is about length. */
function schemaActual(actual: Json, expected: Json): string {
  const shown = orAbsent(actual);
  const asked = typeof expected === 'string' && /\bcharacters? long\b/.test(expected);
  if (typeof actual !== 'string' || !asked || parseMark(actual) !== undefined) return shown;
  const words = ` (${sentLength(actual)})`;
  return shown.endsWith(words) ? shown : `${shown}${words}`;
}

/** Renders `body.keys.0.kid` as `body.keys[0].kid`; deliveries are counted, not indexed. */
export const renderPath = (path: string): string =>
  path.startsWith('deliveries') ? path : path.replace(/\.(\d+)(?=\.|$)/g, '[$1]');

const listAlternatives = (value: Json): string =>
  isList(value) ? `${value.length > 1 ? 'one of ' : ''}${value.map(plainValue).join(', ')}` : plainValue(value);

function outcomeInWords(value: Json): string {
  const name = plainValue(value);
  const outcome = outcomes.find((known) => known === name);
  return outcome === undefined ? name : `${name} (${outcomeTable[outcome].description})`;
}

const secondsInWords = (value: Json): string => (typeof value === 'number' ? `${value} s` : plainValue(value));

type ProseRenderer = (finding: Finding & { readonly at: string }) => FindingProse;

/** Renders "body.state is X, not Y" for codes that compare two values. */
const comparisonProse =
  (expected: (value: Json) => string, actual: (value: Json) => string, noun: string): ProseRenderer =>
  (finding) => {
    const words = { expected: expected(finding.expected), actual: actual(finding.actual) };
    return { ...words, summary: `${finding.at === '' ? noun : finding.at} is ${words.actual}, not ${words.expected}` };
  };

/** The only table from finding codes to English. */
const proseByCode: Readonly<Record<FindingCode, ProseRenderer>> = {
  outcome: ({ expected, actual }) => ({
    expected: outcomeInWords(expected),
    actual: plainValue(actual),
    summary: `expected ${plainValue(expected)}, got ${plainValue(actual)}`,
  }),
  'error-code': comparisonProse(listAlternatives, orAbsent, 'the error code'),
  status: ({ expected, actual }) => ({
    expected: `HTTP ${listAlternatives(expected)}`,
    actual: plainValue(actual),
    summary: `expected HTTP ${listAlternatives(expected)}, got ${plainValue(actual)}`,
  }),
  schema: (finding) =>
    comparisonProse(plainValue, (actual) => schemaActual(actual, finding.expected), 'the value')(finding),
  'not-equal': comparisonProse(orAbsent, orAbsent, 'the value'),
  'not-absent': ({ actual, at }) => ({
    expected: 'absent',
    actual: JSON.stringify(actual),
    summary: `${at === '' ? 'the value' : at} is there and should not be`,
  }),
  'not-echoed': ({ expected, actual, at }) => ({
    expected: expected === null ? 'absent, because it was not sent' : `${JSON.stringify(expected)}, as it was sent`,
    actual: orAbsent(actual),
    summary: `${at === '' ? 'the value' : at} does not come back as it was sent`,
  }),
  count: ({ expected, actual }) => ({
    expected: `${plainValue(expected)} ${expected === 1 ? 'delivery' : 'deliveries'}`,
    actual: plainValue(actual),
    summary: `expected ${plainValue(expected)} ${expected === 1 ? 'delivery' : 'deliveries'}, got ${plainValue(actual)}`,
  }),
  spacing: ({ expected, actual, at }) => ({
    expected: secondsInWords(expected),
    actual: secondsInWords(actual),
    summary: `the gap between deliveries${at === '' ? '' : ` (${at})`} is ${secondsInWords(actual)}, not ${secondsInWords(expected)}`,
  }),
  refused: ({ actual, at }) => ({
    expected: `accepted: ${at} is as the rule allows`,
    actual: plainValue(actual),
    summary: `expected a request with this ${at} to be accepted, got ${plainValue(actual)}`,
  }),
  demanded: ({ actual, at }) => ({
    expected: `accepted, whatever ${at} is`,
    actual: plainValue(actual),
    summary: `the plain request is ${plainValue(actual)}`,
  }),
  dropped: ({ expected, actual }) => ({
    expected: `delivered: the time in which another ${plainValue(expected)} is a duplicate is over, and a first one comes`,
    actual: plainValue(actual),
    summary: `expected another ${plainValue(expected)} about one subscriber when the time for duplicates is over, got ${plainValue(actual)}`,
  }),
  'late-delivery': ({ expected, actual }) =>
    expected === 'no callback'
      ? {
          expected: 'no callback, because the request was refused',
          actual: plainValue(actual),
          summary: 'the request was refused, yet a callback came',
        }
      : {
          expected: plainValue(expected),
          actual: plainValue(actual),
          summary: `expected ${plainValue(expected)}, and one came after the step: ${plainValue(actual)}`,
        },
  'not-seen': ({ expected, actual }) => ({
    expected: plainValue(expected),
    actual: plainValue(actual),
    summary: `the operator did not see that ${plainValue(expected)}`,
  }),
  check: ({ expected, actual }) => ({
    expected: plainValue(expected),
    actual: actual === null ? orAbsent(actual) : JSON.stringify(actual),
    summary: `does not hold: ${plainValue(expected)}`,
  }),
};

/** Expected, actual and a summary of a finding in English, each cut to length. */
export function renderFinding(finding: Finding): FindingProse {
  const { expected, actual, summary } = proseByCode[finding.code]({ ...finding, at: renderPath(finding.path ?? '') });
  return {
    expected: cutText(expected, maxProse),
    actual: cutText(actual, maxProse),
    summary: cutText(summary, maxProse),
  };
}

/** Number of violations of an invariant: `3 of 120 callbacks`. */
export const violationCount = ({ on, violations, judged }: InvariantResult): string =>
  `${violations.toLocaleString('en-GB')} of ${countNoun(judged, ...messageKindWords[on])}`;
