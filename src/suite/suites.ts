import { readBytes } from '../files/read.ts';
import type { Interface } from '../model/interface.ts';
import type { Position, Rule, RuleRef } from '../model/rule.ts';
import type { BaseRequest, MessageKind, ScriptedResponse, Template, TemplateMap, Moment } from '../model/suite.ts';
import type { Expectation } from './expectations/expectations.ts';
import type { SuiteFile } from './suite-files.ts';
import type { AnyAct } from './verbs/verb.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface Step {
  readonly name: string;
  readonly position: Position;
  readonly at?: Moment;
  /** Latest moment at which it may be sent. */
  readonly by?: Moment;
  readonly act: AnyAct;
  /** List of the target: the step is done and judged once for each entry, which its templates read as `entry`. */
  readonly over?: Template;
  /** The case means nothing unless this step succeeds: it has no `expect`, or `control: true`. */
  readonly control: boolean;
  /** Number of repetitions of the exchange; default 1. */
  readonly times?: number;
  /** Send all repetitions at once. */
  readonly together?: boolean;
  /** Runs at the same time as the previous step. */
  readonly parallel?: true;
  /** Earlier step whose exchange is repeated equally often, in random order with this one. */
  readonly interleave?: string;
  /** Sends something an earlier step made or got, such as a signed object or a code, which is no longer new if sent twice. */
  readonly sendsEarlier?: true;
  readonly expectations: readonly Expectation[];
  readonly record: TemplateMap;
}

/** Scenario; each row of a matrix is a separate case with the id `id/row`. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly rules: readonly RuleRef[];
  readonly client: string | Readonly<Record<string, boolean>>;
  readonly subscriber: string;
  readonly exclusive: boolean;
  /** Requirements on the target: `action:approve`, `client:second`, `subscriber:second`, or a declared support. */
  readonly requires: readonly string[];
  readonly receiver: readonly ScriptedResponse[];
  /** Responses of the event endpoint. */
  readonly eventReceiver?: readonly ScriptedResponse[];
  /** Outcome that this case demonstrates for cases that build on it: accepted, completed, denied. */
  readonly establishes?: string;
  /** Values that a carrier may leave out, by their paths, and the rule that recommends each: without one, the case asks nothing of it. */
  readonly optional?: ReadonlyMap<string, RuleRef>;
  /** Its rows were made from tables, as its file says. */
  readonly generated?: boolean;
  /** Values in the row's `with:`. */
  readonly each: TemplateMap;
  readonly steps: readonly Step[];
  /** If false, the run does not watch for later messages, and pending requests stay pending. */
  readonly watched?: false;
  /** No case follows: pending requests stay pending, there is no cool-down, and the run reports what it leaves behind. */
  readonly alone?: true;
}

/** Expectation on every message of a kind during the whole run. */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly on: MessageKind;
  readonly expectations: readonly Expectation[];
  readonly seenIn: readonly string[];
}

export interface Suites {
  readonly rules: readonly Rule[];
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
  /** Base requests, by the interface's names. */
  readonly bases: Readonly<Record<string, BaseRequest>>;
  /** Cases that `--without` leaves out, each with why. They do not run, and a rule of theirs has no verdict without them. */
  readonly leftOut?: ReadonlyMap<Case, string>;
  /** SHA-256 of the files in name order: `sha256:...`. */
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly files: readonly string[];
}

const ruleIdsByCase = new WeakMap<Case, ReadonlySet<string>>();

/** Ids of the rules judged by expectations outside controls. Adds the case's own rules if it records values, or if there are none. */
export function caseRuleIds(given: Case): ReadonlySet<string> {
  const rules = ruleIdsByCase.get(given) ?? findRules(given);
  ruleIdsByCase.set(given, rules);
  return rules;
}

/** Remembers rules that a build found, so that the steps need not be compiled. */
export function rememberRules(given: Case, rules: readonly string[]): Case {
  ruleIdsByCase.set(given, new Set(rules));
  return given;
}

function findRules({ steps, rules }: Case): ReadonlySet<string> {
  const judged = steps
    .filter(({ control }) => !control)
    .flatMap(({ expectations }) => expectations.flatMap((one) => one.rules));
  const own = judged.length === 0 || steps.some(({ record }) => record.length > 0) ? rules : [];
  return new Set([...judged, ...own].map(({ rule }) => rule));
}

type NamedPath = Pick<SuiteFile, 'path' | 'name'>;

export type BaseFiles = readonly NamedPath[];

/** Base requests in the shipped folder without which no suite works. */
export const requiredBases = (dir: string, baseFiles: Interface['baseFiles']): BaseFiles =>
  Object.values(baseFiles).flatMap(({ file, required }) =>
    required === true ? [{ path: join(dir, file), name: file }] : [],
  );

/** Digests of the rules, and of the suites with their base requests. */
export const suiteDigests = (files: readonly SuiteFile[], bases: BaseFiles): Suites['digests'] => ({
  rules: digestFiles(files.filter(({ kind }) => kind === 'rules')),
  suites: digestFiles([...files.filter(({ kind }) => kind === 'suite'), ...bases]),
});

/** Digest of file names and contents, in name order. */
function digestFiles(files: readonly NamedPath[]): string {
  const hash = createHash('sha256');
  const ordered = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { path, name } of ordered) hash.update(`${name}\n`).update(readOrEmpty(path));
  return `sha256:${hash.digest('hex')}`;
}

/** Reads a file, or nothing if it cannot be read, which has been reported already. */
function readOrEmpty(path: string): Uint8Array {
  try {
    return readBytes(path, 'yaml');
  } catch {
    return new Uint8Array();
  }
}
