import { readUserFile } from '../lib/read-file.ts';
import type { Interface } from '../model/interface.ts';
import type { Position, Rule, RuleRef } from '../model/rule.ts';
import type { BaseRequest, MessageKind, ScriptedResponse, TemplateMap, Moment } from '../model/suite.ts';
import type { Expectation } from './expectations/expectations.ts';
import type { SuiteFile } from './written.ts';
import type { AnyAct } from './verbs/define.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface Step {
  readonly name: string;
  readonly position: Position;
  readonly at?: Moment;
  /** The latest moment to be sent at. */
  readonly by?: Moment;
  readonly act: AnyAct;
  /** The step must succeed for the case to mean anything: no `expect`, or `control: true`. */
  readonly control: boolean;
  /** How often an exchange is repeated; once unless said. */
  readonly times?: number;
  /** The repetitions are sent all at once. */
  readonly together?: boolean;
  /** It is done at the same time as the step before it. */
  readonly parallel?: true;
  /** The earlier step whose exchange is repeated as often, in random order with this one's. */
  readonly interleave?: string;
  /** It sends what an earlier step made or got, such as a signed object or a code: sent a second time that is not new any more. */
  readonly sendsEarlier?: true;
  readonly expectations: readonly Expectation[];
  readonly record: TemplateMap;
}

/** One scenario; a row of a matrix is a case of its own, called `id/row`. */
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
  /** Everything the target must have: `action:approve`, `client:second`, `subscriber:second`, or a declared support. */
  readonly requires: readonly string[];
  readonly receiver: readonly ScriptedResponse[];
  /** Responses of the event endpoint. */
  readonly eventReceiver?: readonly ScriptedResponse[];
  readonly detects: readonly string[];
  /** The outcome that this case shows plainly, for cases that build on it: accepted, completed, denied. */
  readonly establishes?: string;
  /** The row's `with:` values. */
  readonly each: TemplateMap;
  readonly steps: readonly Step[];
  /** False: the run does not watch what comes after the last step, and what is pending then stays so. */
  readonly watched?: false;
  /** No case comes after it: what is pending stays so, the cool-down is left out, and the run reports what is left behind. */
  readonly alone?: true;
}

/** An expectation on every message of a kind, over the whole run. */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly on: MessageKind;
  readonly expectations: readonly Expectation[];
  readonly seenIn: readonly string[];
  readonly detects: readonly string[];
}

export interface Suites {
  readonly rules: readonly Rule[];
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
  /** Base requests, by the interface's names. */
  readonly bases: Readonly<Record<string, BaseRequest>>;
  /** SHA-256 over the files' bytes, in the order of their names: `sha256:...`. */
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly files: readonly string[];
}

const found = new WeakMap<Case, ReadonlySet<string>>();

/** The rules whose expectations stand outside a control, and the case's own. */
export function caseRuleIds(given: Case): ReadonlySet<string> {
  const rules = found.get(given) ?? findRules(given);
  found.set(given, rules);
  return rules;
}

/** Remembers what a build has found, so that the steps need not be looked at. */
export function rememberRules(given: Case, rules: readonly string[]): Case {
  found.set(given, new Set(rules));
  return given;
}

function findRules({ steps, rules }: Case): ReadonlySet<string> {
  const judged = steps
    .filter(({ control }) => !control)
    .flatMap(({ expectations }) => expectations.flatMap((one) => one.rules));
  const own = judged.length === 0 || steps.some(({ record }) => record.length > 0) ? rules : [];
  return new Set([...judged, ...own].map(({ rule }) => rule));
}

type Named = Pick<SuiteFile, 'path' | 'name'>;

export type Bases = readonly Named[];

/** The base requests without which no suite means anything, in the folder that ships. */
export const requiredBases = (dir: string, baseFiles: Interface['baseFiles']): Bases =>
  Object.values(baseFiles).flatMap(({ file, required }) =>
    required === true ? [{ path: join(dir, file), name: file }] : [],
  );

/** Digests of the rules, and of the suites with the base requests. */
export const suiteDigests = (files: readonly SuiteFile[], bases: Bases): Suites['digests'] => ({
  rules: digestFiles(files.filter(({ kind }) => kind === 'rules')),
  suites: digestFiles([...files.filter(({ kind }) => kind === 'suite'), ...bases]),
});

/** Over the names and bytes of the files, in the order of their names. */
function digestFiles(files: readonly Named[]): string {
  const hash = createHash('sha256');
  const ordered = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { path, name } of ordered) hash.update(`${name}\n`).update(readOrNothing(path));
  return `sha256:${hash.digest('hex')}`;
}

/** A file that cannot be read has been reported already. */
function readOrNothing(path: string): Uint8Array {
  try {
    return readUserFile(path, 'yaml');
  } catch {
    return new Uint8Array();
  }
}
