import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import type { BaseRequest, Invariant, Suites, TemplateMap } from '../model/suite.ts';
import { checkSchema, readSchema, type SchemaValidator } from './grammar/check-schema.ts';
import { compileRules } from './compile/rules.ts';
import { compileSuite, type Drafts, type SuiteContext } from './compile/suite.ts';
import { at, type Cursor, items, rootOf } from './yaml/cursor.ts';
import { type Parse, parseYaml, readYaml, type YamlDocument } from './yaml/document.ts';
import { findFiles, labelOf, type SuiteFile } from './find-files.ts';
import { caseNames, checkJudged, createIds, createJudgements, resolveSeenIn } from './compile/lint.ts';
import { commonNames } from './template/names.ts';
import type { Prepared } from './yaml/prepared.ts';
import { createProblems } from './yaml/problems.ts';
import { renameKeys } from './yaml/renamed-keys.ts';
import { compileTemplateMap } from './template/template.ts';
import { version1 } from './yaml/version-1.ts';

export interface LoadOptions {
  /** The first is the shipped folder: the base request and the schemas come from it. */
  readonly dirs: readonly string[];
  /** Undefined: `detects` is not checked. */
  readonly faults: ReadonlySet<string> | undefined;
  readonly checks: ReadonlySet<string>;
  readonly tampers: ReadonlySet<string>;
  /** Files that a build has parsed already. */
  readonly prepared?: Prepared;
}

export interface Loaded {
  readonly suites: Suites;
  /** Every mistake of every file, by file, line and column; empty means that the suites are usable. */
  readonly problems: readonly Problem[];
}

interface RuleAt {
  readonly rule: Rule;
  readonly document: YamlDocument;
}

/** What reading one kind of file gave, and whether every file of that kind was YAML at all. */
interface Read<Found> {
  readonly found: Found;
  readonly readable: boolean;
}

interface Reading {
  readonly report: (problem: Problem) => void;
  readonly schema: (name: string) => SchemaValidator;
  /** Reports an id that is taken. */
  readonly ids: (kind: string, cursor: Cursor) => void;
  readonly parse: Parse;
}

/** Reads the rules, cases and invariants of the suite folders and checks them all. */
export async function loadSuites({ dirs, faults, checks, tampers, prepared }: LoadOptions): Promise<Loaded> {
  const [shipped = '.'] = dirs;
  const problems = createProblems();
  const { report } = problems;
  const schema = (name: string): SchemaValidator => readSchema(join(shipped, 'schema', `${name}.json`));
  const parse: Parse = (text, file) => prepared?.find(text, file) ?? parseYaml(text, file);
  const reading: Reading = { report, schema, ids: createIds(report), parse };
  const judgements = createJudgements();
  const files = await filesOf(dirs, report);
  const ruleFiles = files.filter(({ kind }) => kind === 'rules');
  const suiteFiles = files.filter(({ kind }) => kind === 'suite');

  const rules = readRules(ruleFiles, reading);
  // Where a file of rules is no YAML, its rules would all look unknown; where a suite is none, its rules would look unjudged.
  const known = { rules: rules.readable ? firstOfEach(rules.found) : undefined, checks, tampers, faults };
  const drafts = readSuiteFiles(suiteFiles, reading, { known, judged: judgements.judged });
  if (drafts.readable) checkJudged(rules.found, judgements, report);

  const suites: Suites = {
    rules: rules.found.map(({ rule }) => rule),
    cases: drafts.found.cases,
    invariants: finishInvariants(drafts.found, drafts.readable ? report : () => undefined),
    base: readBase(join(shipped, 'base-request.yaml'), reading),
    ...readFurtherBases(shipped, reading),
    digests: { rules: digestOf(ruleFiles), suites: digestOf([...suiteFiles, baseFile(shipped)]) },
    files: files.map(({ name }) => name),
  };
  return { suites, problems: problems.sorted() };
}

function readRules(files: readonly SuiteFile[], reading: Reading): Read<readonly RuleAt[]> {
  const { report, ids } = reading;
  const documents = files.map((file) => ({ area: file.area, document: readChecked(file, 'rules', reading) }));
  for (const { document } of documents) {
    for (const cursor of items(at(rootOf(document), 'rules'))) ids('rule', at(cursor, 'id'));
  }
  return {
    found: documents.flatMap(({ area, document }) =>
      compileRules(document, area, report).map((rule) => ({ rule, document })),
    ),
    readable: documents.every(({ document }) => document.readable),
  };
}

/** One file after the other, so that the tree of each can be dropped before the next is read. */
function readSuiteFiles(
  files: readonly SuiteFile[],
  reading: Reading,
  shared: Pick<SuiteContext, 'known' | 'judged'>,
): Read<Drafts> {
  const { report, ids } = reading;
  const drafts: Drafts = { cases: [], invariants: [] };
  let readable = true;
  for (const file of files) {
    const document = readChecked(file, 'suite', reading);
    readable &&= document.readable;
    compileSuite(document, { area: file.area, report, ids, ...shared }, drafts);
  }
  return { found: drafts, readable };
}

async function filesOf(dirs: readonly string[], report: (problem: Problem) => void): Promise<readonly SuiteFile[]> {
  const found: SuiteFile[] = [];
  for (const dir of dirs) {
    try {
      found.push(...(await findFiles(dir)));
    } catch (error) {
      const message = `the folder cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      report({ code: 'file-unreadable', message, position: { file: dir, line: 1, column: 1 } });
    }
  }
  return found;
}

function readChecked(
  { path, label }: Pick<SuiteFile, 'path' | 'label'>,
  kind: string,
  { schema, report, parse }: Reading,
): YamlDocument {
  const { document } = renameKeys(readYaml(path, label, parse), version1[kind] ?? []);
  for (const problem of document.problems) report(problem);
  if (document.readable) for (const problem of checkSchema(document, schema(kind))) report(problem);
  return document;
}

function finishInvariants({ cases, invariants }: Drafts, report: (problem: Problem) => void): readonly Invariant[] {
  const names = caseNames(cases.map(({ id }) => id));
  return invariants.map(({ invariant, seenIn }) => ({
    ...invariant,
    seenIn: seenIn.flatMap((one) => resolveSeenIn(one, names, report)),
  }));
}

function baseFile(dir: string): Pick<SuiteFile, 'path' | 'name'> {
  return { path: join(dir, 'base-request.yaml'), name: 'base-request.yaml' };
}

/** The bases of other requests; a folder that has none has no cases that need them. */
function readFurtherBases(shipped: string, reading: Reading): Pick<Suites, 'assertion' | 'usertrait'> {
  const assertion = join(shipped, 'base-client-assertion.yaml');
  const usertrait = join(shipped, 'base-usertrait.yaml');
  return {
    ...(existsSync(assertion) ? { assertion: readBase(assertion, reading) } : {}),
    ...(existsSync(usertrait) ? { usertrait: readMembers(usertrait, reading) } : {}),
  };
}

function readMembers(path: string, reading: Reading): TemplateMap {
  const root = rootOf(readChecked({ path, label: labelOf(path) }, 'base-members', reading));
  return compileTemplateMap(at(root, 'members'), { names: commonNames, report: reading.report });
}

function readBase(path: string, reading: Reading): BaseRequest {
  const root = rootOf(readChecked({ path, label: labelOf(path) }, 'base-request', reading));
  const context = { names: commonNames, report: reading.report };
  return {
    header: compileTemplateMap(at(root, 'header'), context),
    claims: compileTemplateMap(at(root, 'claims'), context),
  };
}

/** Over the names and bytes of the files, in the order of their names. */
function digestOf(files: readonly Pick<SuiteFile, 'path' | 'name'>[]): string {
  const hash = createHash('sha256');
  const ordered = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { path, name } of ordered) hash.update(`${name}\n`).update(readOrNothing(path));
  return `sha256:${hash.digest('hex')}`;
}

/** A file that cannot be read has been reported already. */
function readOrNothing(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}

/** Where an id was given twice, which has been reported, the first one counts. */
function firstOfEach(rules: readonly RuleAt[]): ReadonlyMap<string, Rule> {
  return new Map([...rules].reverse().map(({ rule }) => [rule.id, rule]));
}
