import { join } from 'node:path';
import { refusalReason } from '../files/file-error.ts';
import { isThere } from '../files/look.ts';
import { readText } from '../files/read.ts';
import { omitUndefined } from '../lib/json.ts';
import type { Interface } from '../model/interface.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import { readBases } from './bases.ts';
import { checkJudged, createIdRegistry, createJudgements, indexCaseNames, resolveSeenIn } from './compile/lint.ts';
import { checkStatements, type QuotableText } from './compile/statements.ts';
import { compileSuite, type Drafts, type SuiteContext, suiteGrammar } from './compile/suite.ts';
import type { FactsByCase, Parties } from './context.ts';
import { expandSuite } from './expand/expand.ts';
import { findShared, readShared, type Shared } from './expand/named-steps.ts';
import { findNearMisses, readNearMisses } from './near-misses.ts';
import { type PreparedFiles, unpackFacts } from './prepared-files.ts';
import { compileRules, rulesFile } from './rules.ts';
import { findFiles, pathLabel, type ReadingServices, readChecked, type SuiteFile } from './suite-files.ts';
import { type BaseFiles, type Invariant, requiredBases, type Suites, suiteDigests } from './suites.ts';
import type { VerbTable } from './verbs/verb.ts';
import { type Cursor, parseYaml, type YamlDocument } from './yaml/document.ts';
import { createProblems } from './yaml/problems.ts';
import { checkCovers } from './compile/covers.ts';

interface SuiteLanguage extends Pick<Interface, 'areas' | 'baseFiles' | 'attributes'> {
  readonly verbs: VerbTable;
  /** Named checks, by their name in suites. */
  readonly checks: Readonly<Record<string, unknown>>;
}

interface LoadOptions {
  /** Suites folders. The first is the shipped one, with the base requests. */
  readonly dirs: readonly string[];
  readonly interface: SuiteLanguage;
  readonly tampers: ReadonlySet<string>;
  /** Names of clients, tags and capabilities; if absent, they are not checked. */
  readonly parties?: Parties;
  /** Parsed files and facts of the shipped folder, stored by a build. */
  readonly prepared?: PreparedFiles;
}

export interface SuitesWithProblems {
  readonly suites: Suites;
  /** Every mistake of every file, by file, line and column; empty if the suites are usable. */
  readonly problems: readonly Problem[];
  /** Advice about what is no mistake for sure: a class that no case is said to cover, a name that is almost a known one. */
  readonly warnings: readonly Problem[];
}

interface LocatedRule {
  readonly file: SuiteFile;
  readonly rule: Rule;
  readonly document: YamlDocument;
}

/** Rules of a file, as written. */
interface WrittenRules {
  readonly file: SuiteFile;
  readonly rules: Parameters<typeof checkCovers>[0];
}

/** Content of one kind of file, and whether every file of that kind was YAML. */
interface FilesRead<Found> {
  readonly found: Found;
  readonly readable: boolean;
}

interface SuitesReading extends ReadingServices {
  /** Reports a duplicate id. */
  readonly ids: (kind: string, cursor: Cursor) => void;
  /** Interface that a file's rules quote; undefined if there is none, or if a build has checked the quotations. */
  readonly quotableFor: (file: SuiteFile) => QuotableText | undefined;
}

export async function loadSuiteFolders(options: LoadOptions): Promise<SuitesWithProblems> {
  const { dirs, interface: language, tampers, prepared } = options;
  const { verbs, baseFiles } = language;
  const [shipped = '.'] = dirs;
  const problems = createProblems();
  const { report } = problems;
  const warnings = createProblems();
  const judgements = createJudgements();
  const files = await findSuiteFiles(options, report);
  const ofKind = (wanted: SuiteFile['kind']) => files.filter(({ kind }) => kind === wanted);
  const bases = [...requiredBases(shipped, baseFiles), ...findNearMisses(shipped), ...findShared(shipped)];
  const factsOf = openFacts(files, bases, options);
  const reading: SuitesReading = {
    report,
    ids: createIdRegistry(report),
    parse: prepared?.parse ?? parseYaml,
    quotableFor: (file) => (factsOf(file) === undefined ? readQuotable(file, report) : undefined),
  };

  const rules = readRules(ofKind('rules'), reading);
  // If a rules file is not YAML, all its rules would look unknown. If a suite is not YAML, its rules would look unjudged.
  const known = {
    rules: rules.readable ? keepFirstRules(rules.found) : undefined,
    checks: new Set(Object.keys(language.checks)),
    tampers,
    nearMisses: readNearMisses(shipped, reading),
    attributes: language.attributes.known,
    ...omitUndefined({ parties: options.parties }),
  };
  const shared = readShared(shipped, reading);
  const knownIn = (file: SuiteFile) => (isShipped(file, options) ? known : { ...known, warn: warnings.report });
  const drafts = readSuiteFiles(ofKind('suite'), reading, {
    knownIn,
    verbs,
    judged: judgements.judged,
    factsOf,
    shared,
  });
  if (drafts.readable) checkJudged(unchecked(rules.found, factsOf), judgements, report);

  const suites: Suites = {
    rules: rules.found.map(({ rule }) => rule),
    cases: drafts.found.cases,
    invariants: finishInvariants(drafts.found, drafts.readable ? report : () => undefined),
    bases: readBases(shipped, baseFiles, reading),
    digests: suiteDigests(files, bases),
    files: files.map(({ name }) => name),
  };
  const { cases, invariants } = suites;
  const written = unchecked(rules.written, factsOf).flatMap((one) => one.rules);
  if (drafts.readable) checkCovers(written, { cases, invariants, report, warn: warnings.report });
  return { suites, problems: problems.sorted(), warnings: warnings.sorted() };
}

type FactsOf = (file: SuiteFile) => FactsByCase | undefined;

/** Content of files that no build has checked. */
const unchecked = <Content extends { readonly file: SuiteFile }>(
  all: readonly Content[],
  factsOf: FactsOf,
): readonly Content[] => all.filter(({ file }) => factsOf(file) === undefined);

const isShipped = ({ path, name }: SuiteFile, { dirs }: LoadOptions): boolean => path === join(dirs[0] ?? '.', name);

/** Opens the facts stored by a build. */
function openFacts(files: readonly SuiteFile[], bases: BaseFiles, options: LoadOptions): FactsOf {
  const { prepared } = options;
  if (prepared === undefined) return () => undefined;
  const shipped = files.filter((file) => isShipped(file, options));
  const facts = unpackFacts(prepared.facts, suiteDigests(shipped, bases));
  return (file) => (isShipped(file, options) ? facts : undefined);
}

/** Reads the interface.md in the suites folder of a file. */
function readQuotable({ path, name }: SuiteFile, report: (problem: Problem) => void): QuotableText | undefined {
  const beside = join(path.slice(0, path.length - name.length), 'interface.md');
  if (!isThere(beside)) return undefined;
  const label = pathLabel(beside);
  try {
    return { label, text: readText(beside, 'yaml') };
  } catch (error) {
    const message = `the interface cannot be read: ${refusalReason(error)}`;
    report({ code: 'file-unreadable', message, position: { file: label, line: 1, column: 1 } });
    return undefined;
  }
}

function readRules(
  files: readonly SuiteFile[],
  reading: SuitesReading,
): FilesRead<readonly LocatedRule[]> & { readonly written: readonly WrittenRules[] } {
  const { report, ids, quotableFor } = reading;
  const all = files.map((file) => ({ file, ...readChecked(file, { kind: 'rules', shape: rulesFile }, reading) }));
  for (const { read } of all) for (const { id } of read?.rules ?? []) if (id !== undefined) ids('rule', id);
  for (const { file, read } of all) {
    const quotable = quotableFor(file);
    if (quotable !== undefined) checkStatements(read?.rules ?? [], quotable, report);
  }
  return {
    found: all.flatMap(({ file, document, read }) =>
      compileRules(read, file.area, report).map((rule) => ({ file, rule, document })),
    ),
    readable: all.every(({ document }) => document.readable),
    written: all.map(({ file, read }) => ({ file, rules: read?.rules ?? [] })),
  };
}

interface SharedContext extends Pick<SuiteContext, 'verbs' | 'judged'> {
  readonly knownIn: (file: SuiteFile) => SuiteContext['known'];
  readonly factsOf: FactsOf;
  /** Named steps. */
  readonly shared: Shared;
}

/** Reads one file at a time, so that its tree can be freed before the next. */
function readSuiteFiles(
  files: readonly SuiteFile[],
  reading: SuitesReading,
  { factsOf, shared, knownIn, ...common }: SharedContext,
): FilesRead<Drafts> {
  const drafts: Drafts = { cases: [], invariants: [] };
  const verbs = common.verbs.map(({ verb }) => verb);
  const rewrite = (document: YamlDocument): YamlDocument =>
    expandSuite(document, { shared, verbs, report: reading.report });
  const kind = { kind: 'suite', shape: suiteGrammar(common.verbs), rewrite };
  let readable = true;
  for (const file of files) {
    const { document, read } = readChecked(file, kind, reading);
    readable &&= document.readable;
    const { report, ids } = reading;
    const facts = factsOf(file);
    compileSuite(read, { area: file.area, report, ids, facts, known: knownIn(file), ...common }, drafts);
  }
  return { found: drafts, readable };
}

async function findSuiteFiles(
  { dirs, interface: { areas } }: LoadOptions,
  report: (problem: Problem) => void,
): Promise<readonly SuiteFile[]> {
  const found: SuiteFile[] = [];
  for (const dir of dirs) {
    try {
      found.push(...(await findFiles(dir, areas)));
    } catch (error) {
      const message = `the folder cannot be read: ${refusalReason(error).replace('such file', 'such folder')}`;
      report({ code: 'file-unreadable', message, position: { file: dir, line: 1, column: 1 } });
    }
  }
  return found;
}

function finishInvariants({ cases, invariants }: Drafts, report: (problem: Problem) => void): readonly Invariant[] {
  const names = indexCaseNames(cases.map(({ id }) => id));
  return invariants.map(({ invariant, seenIn }) => ({
    ...invariant,
    seenIn: seenIn.flatMap((one) => resolveSeenIn(one, names, report)),
  }));
}

/** Keeps the first rule of a duplicate id, which has been reported. */
const keepFirstRules = (rules: readonly LocatedRule[]): ReadonlyMap<string, Rule> =>
  new Map([...rules].reverse().map(({ rule }) => [rule.id, rule]));
