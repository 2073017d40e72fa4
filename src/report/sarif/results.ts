import type { Finding } from '../../model/finding.ts';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Position, type Level, renderRuleRef } from '../../model/rule.ts';
import { cutText, forTerminal } from '../shared/sanitize.ts';
import { createHash } from 'node:crypto';
import { isStale } from '../../verdict/expected.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import { omitUndefined } from '../../lib/json.ts';
import { type LocatedFinding, firstPerRule, keepFirstSeen, isUnexplained, unexplainedWords } from '../shared/model.ts';
import { findingFacts } from '../shared/facts.ts';
import { staleWords } from '../shared/notes.ts';
import { findingHeadline } from '../shared/broken-rules.ts';
import { renderClause, ruleSentence, violationCount } from '../shared/prose.ts';
import { expectedWords } from '../shared/consequences.ts';
import { type StandingLookup, createStandingLookup } from '../../verdict/findings.ts';
import { isDecisive, type Judge } from '../../verdict/standing.ts';
import { missingReasons } from '../shared/testcases.ts';

export type SarifLevel = 'error' | 'warning' | 'note';

export const sarifLevels: Readonly<Record<Level, SarifLevel>> = {
  required: 'error',
  recommended: 'warning',
  informational: 'note',
};

/** Maximum UTF-16 units of an id; longer ones are cut. */
export const nameLimit = 200;

/** The tool's own rules, for what turns a run red and breaks no rule of the interface. */
export const ownRules = { stale: 'expected-failure-holds', incomplete: 'run-is-complete' } as const;

/** Reference to a rule: its id, and its index among the descriptors if it has one. */
export type RuleReference = (id: string) => { readonly id: string; readonly index?: number };

export function referencesTo(rules: readonly RuleResult[]): RuleReference {
  const ids = [...rules.map(({ id }) => id), ...Object.values(ownRules)];
  const places = new Map(ids.map((id, index) => [id, index]));
  return (id) => omitUndefined({ id: forTerminal(id, nameLimit), index: places.get(id) });
}

/** Maximum UTF-16 units of a line, a message, and a text about a rule (code scanning reads 1,024). */
const lineLimit = 500;
const messageLimit = 4000;
const ruleTextLimit = 980;

/** Escapes the syntax of SARIF 2.1.0 messages: embedded links (3.11.6) and placeholders (3.11.5). */
const withoutSyntax = (text: string): string => text.replaceAll('](', '] (').replace(/\{(\d+)\}/g, '{{$1}}');

export const sarifMessage = (lines: readonly string[]) => ({
  text: cutText(withoutSyntax(lines.map((line) => forTerminal(line, lineLimit)).join('\n')), messageLimit),
});

export const ruleText = (text: string) => ({ text: withoutSyntax(forTerminal(text, ruleTextLimit)) });

const encodePath = (path: string): string =>
  path
    .toWellFormed()
    .split(/[\\/]/)
    .map((part) => encodeURIComponent(part))
    .join('/');

/** A relative file by its path below the root, an absolute one by its URL. */
function sarifArtifact(file: string) {
  if (isAbsolute(file)) return { uri: pathToFileURL(file.toWellFormed()).href };
  const within = file
    .split(/[\\/]/)
    .filter((part) => part !== '..')
    .join('/');
  return { uri: encodePath(within), uriBaseId: '%SRCROOT%' };
}

/** Location of a result: code scanning rejects results without a file and a line. */
const physicalLocation = ({ file, line, column }: Position) => ({
  artifactLocation: sarifArtifact(file),
  region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
});

interface SarifIssue {
  readonly rule: string;
  readonly level: SarifLevel;
  readonly lines: readonly string[];
  readonly position: Position;
  /** Parts that identify it from run to run. */
  readonly key: readonly string[];
  /** Id of the case or invariant. */
  readonly id?: string;
  /** Reason why it is tolerated. */
  readonly accepted?: string;
}

type SarifContext = Pick<Result['header'], 'flags'> & {
  readonly rules: Map<string, Result['rules'][number]>;
  standingOf: StandingLookup;
};

function findingLines(found: LocatedFinding, { rules, flags }: SarifContext): readonly string[] {
  const { finding, id, title, invariant } = found;
  const rule = rules.get(finding.rule);
  const words = rule && ruleSentence(rule, renderRuleRef(finding));
  const seen = invariant === undefined ? '' : `, violated by ${violationCount(invariant)}`;
  return [
    `${renderRuleRef(finding)} in ${id}: ${findingHeadline(found)}.`,
    ...(rule === undefined || words === undefined ? [] : [`rule: ${words} (${renderClause(rule.clause)})`]),
    ...(finding.followsFrom === undefined ? [] : [`follows from: ${finding.followsFrom}`]),
    `${invariant === undefined ? 'case' : 'invariant'}: ${id}: ${title}${seen}`,
    ...findingFacts(found, flags)
      .filter(({ label }) => label !== 'where')
      .map(({ label, text }) => `${label}: ${text}`),
  ];
}

function raiseFinding(found: LocatedFinding, shared: SarifContext): SarifIssue {
  const { finding, id } = found;
  const standing = shared.standingOf(finding, id);
  // Only findings that turn a run red, or would unless expected, are errors.
  const isLoud = standing.kind === 'broken' || standing.kind === 'expected';
  const { rule, code, step = '', path = '', position } = finding;
  return {
    rule,
    level: isLoud ? 'error' : standing.kind === 'follows' || finding.level === 'informational' ? 'note' : 'warning',
    lines: findingLines(found, shared),
    position,
    key: [renderRuleRef(finding), id, code, step, path],
    id,
    ...(standing.kind === 'expected' ? { accepted: expectedWords(standing.entry) } : {}),
  };
}

/** Reports a failure that kept no finding, so that it is not lost. */
function raiseUnexplained(ended: CaseResult | InvariantResult): readonly SarifIssue[] {
  if (!isUnexplained(ended)) return [];
  const { id, title, rules, reason = unexplainedWords, position } = ended;
  const rule = rules[0]?.rule ?? id;
  const lines = [`${rule}: ${reason}.`, `${id}: ${title}`];
  return [{ rule, level: sarifLevels.required, lines, position, key: [rule, id, 'unexplained'], id }];
}

function* raiseOwn(result: Result): Iterable<SarifIssue> {
  const { header, footer } = result;
  const position = { file: header.target.file, line: 1, column: 1 };
  for (const entry of (footer?.expected ?? []).filter(isStale)) {
    const key = [ownRules.stale, entry.what, entry.name];
    yield { rule: ownRules.stale, level: 'error', lines: [`${staleWords(entry)}.`], position: entry.position, key };
  }
  const missing = missingReasons(result);
  if (missing === undefined) return;
  const lines = ['The run is not complete, so that not every rule has a verdict.', ...missing];
  yield { rule: ownRules.incomplete, level: 'error', lines, position, key: [ownRules.incomplete] };
}

/** Everything raised, in result order: each finding that is part of what its rule comes to. */
function* raiseAll(result: Result): Iterable<SarifIssue> {
  const { header, cases, invariants, rules } = result;
  const shared = {
    flags: header.flags,
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    standingOf: createStandingLookup(result),
  };
  const decides =
    (judge: Judge) =>
    (finding: Finding): boolean =>
      isDecisive(finding, judge, shared.rules.get(finding.rule) ?? finding);
  const firstSeen = keepFirstSeen(invariants);
  yield* raiseOwn(result);
  for (const seenIn of cases) {
    firstSeen.offer(seenIn);
    const { id, title, findings } = seenIn;
    yield* raiseUnexplained(seenIn);
    for (const finding of findings.filter(decides(seenIn))) yield raiseFinding({ finding, id, title, seenIn }, shared);
  }
  for (const invariant of invariants) {
    const { id, title, findings } = invariant;
    yield* raiseUnexplained(invariant);
    for (const finding of firstPerRule(findings.filter(decides(invariant)))) {
      yield raiseFinding({ finding, id, title, invariant, seenIn: firstSeen.of(finding) }, shared);
    }
  }
}

/** Makes fingerprints: a digest of the key, and a counter for equal keys. They contain no line numbers of suites. */
function createFingerprints() {
  const seen = new Map<string, number>();
  return (key: readonly string[]): string => {
    const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    return `${digest}:${count}`;
  };
}

function sarifResult(
  { rule, level, lines, position, id, accepted }: SarifIssue,
  reference: RuleReference,
  fingerprint: string,
) {
  const { id: ruleId, index: ruleIndex } = reference(rule);
  return omitUndefined({
    ruleId,
    ruleIndex,
    level,
    message: sarifMessage(lines),
    locations: [
      omitUndefined({
        physicalLocation: physicalLocation(position),
        logicalLocations: id === undefined ? undefined : [{ name: forTerminal(id) }],
      }),
    ],
    // Code scanning uses the first name, other readers any.
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'carrierspecFinding/v1': fingerprint },
    suppressions:
      accepted === undefined
        ? undefined
        : [{ kind: 'external', status: 'accepted', justification: forTerminal(accepted) }],
  });
}

export function* sarifResults(result: Result) {
  const reference = referencesTo(result.rules);
  const next = createFingerprints();
  for (const one of raiseAll(result)) yield { level: one.level, result: sarifResult(one, reference, next(one.key)) };
}
