import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import type { BaseRequest, Invariant, Suites } from '../model/suite.ts';
import { checkSchema, readSchema, type SchemaValidator } from './check-schema.ts';
import { compileRules } from './compile-rules.ts';
import { compileSuite, type Drafts } from './compile-suite.ts';
import { at, items, rootOf } from './cursor.ts';
import { readYaml, type YamlDocument } from './document.ts';
import { findFiles, labelOf, type SuiteFile } from './find-files.ts';
import { caseNames, checkJudged, createIds, createJudgements, resolveSeenIn } from './lint.ts';
import { commonNames } from './names.ts';
import { createProblems } from './problems.ts';
import { compileTemplateMap } from './template.ts';

export interface LoadOptions {
  /** The first is the shipped folder: the base request and the schemas come from it. */
  readonly dirs: readonly string[];
  /** Undefined: `detects` is not checked. */
  readonly faults: ReadonlySet<string> | undefined;
  readonly checks: ReadonlySet<string>;
  readonly tampers: ReadonlySet<string>;
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

/** Reads the rules, cases and invariants of the suite folders and checks them all. */
export async function loadSuites({ dirs, faults, checks, tampers }: LoadOptions): Promise<Loaded> {
  const [shipped = '.'] = dirs;
  const problems = createProblems();
  const { report } = problems;
  const files = await filesOf(dirs, report);
  const schema = (name: string): SchemaValidator => readSchema(join(shipped, 'schema', `${name}.json`));
  const ids = createIds(report);
  const ruleFiles = files.filter(({ kind }) => kind === 'rules');
  const suiteFiles = files.filter(({ kind }) => kind === 'suite');

  const ruleSchema = schema('rules');
  const rules: RuleAt[] = [];
  let rulesReadable = true;
  for (const file of ruleFiles) {
    const document = readChecked(file, ruleSchema, report);
    rulesReadable &&= document.readable;
    for (const cursor of items(at(rootOf(document), 'rules'))) ids('rule', at(cursor, 'id'));
    rules.push(...compileRules(document, file.area, report).map((rule) => ({ rule, document })));
  }

  const judgements = createJudgements();
  const byId = rulesReadable ? firstOfEach(rules) : undefined;
  const known = { rules: byId, checks, tampers, faults };
  const suiteSchema = schema('suite');
  const drafts: Drafts = { cases: [], invariants: [] };
  let suitesReadable = true;
  for (const file of suiteFiles) {
    const document = readChecked(file, suiteSchema, report);
    suitesReadable &&= document.readable;
    compileSuite(document, { area: file.area, known, report, ids, judged: judgements.judged }, drafts);
  }

  if (suitesReadable) checkJudged(rules, judgements, report);
  const { cases } = drafts;
  const invariants = finishInvariants(drafts, suitesReadable ? report : () => undefined);
  const base = readBase(join(shipped, 'base-request.yaml'), schema('base-request'), report);
  const digests = { rules: digestOf(ruleFiles), suites: digestOf([...suiteFiles, baseFile(shipped)]) };
  const suites: Suites = {
    rules: rules.map(({ rule }) => rule),
    cases,
    invariants,
    base,
    digests,
    files: files.map(({ name }) => name),
  };
  return { suites, problems: problems.sorted() };
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
  schema: SchemaValidator,
  report: (problem: Problem) => void,
): YamlDocument {
  const document = readYaml(path, label);
  for (const problem of document.problems) report(problem);
  if (document.readable) for (const problem of checkSchema(document, schema)) report(problem);
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

function readBase(path: string, schema: SchemaValidator, report: (problem: Problem) => void): BaseRequest {
  const root = rootOf(readChecked({ path, label: labelOf(path) }, schema, report));
  const context = { names: commonNames, report };
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
