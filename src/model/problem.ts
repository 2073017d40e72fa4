import type { Position } from './rule.ts';

/** Why the tool stops. src/cli/exit-codes.ts has the exit code of each. */
export type StopKind = 'usage' | 'unreachable' | 'internal' | 'interrupted';

interface ErrorCodeEntry {
  readonly kind: StopKind;
  /** Description, as `carrierspec list --kind code` prints it. */
  readonly doc: string;
}

/** Every code a CarrierspecError can have. `carrierspec list --kind code` prints them. */
export const errorCodes = {
  'bad-flag': { kind: 'usage', doc: 'A flag or an argument of the command line has a value that it cannot have.' },
  'unknown-name': { kind: 'usage', doc: 'A rule, case, invariant, fault or key of this name does not exist.' },
  'nothing-selected': { kind: 'usage', doc: 'The names or globs select nothing.' },
  'nothing-to-decode': { kind: 'usage', doc: '`decode` was given no message, or one that is not readable.' },
  'reporter-failed': { kind: 'usage', doc: 'A reporter of `--reporter` threw; the run and the reports are there.' },
  'file-unreadable': { kind: 'usage', doc: 'A file or folder cannot be read, or is too large.' },
  'file-unwritable': { kind: 'usage', doc: 'A file or folder cannot be written, or must not be replaced.' },
  'out-unwritable': { kind: 'usage', doc: 'The journal cannot be written to the folder of `--out`.' },
  'folder-locked': { kind: 'usage', doc: 'Another run writes into the folder of `--out`.' },
  'suites-broken': { kind: 'usage', doc: 'The suites have mistakes; each is printed with its position.' },
  'target-broken': { kind: 'usage', doc: 'The target file has mistakes; each is printed with its position.' },
  'expected-broken': {
    kind: 'usage',
    doc: 'The file of `--expected` has mistakes; each is printed with its position.',
  },
  'simulator-broken': { kind: 'usage', doc: 'The simulator file has mistakes; each is printed with its position.' },
  'freedoms-broken': { kind: 'usage', doc: '`prove --space`: the file of freedoms has mistakes; each is printed.' },
  'key-unusable': { kind: 'usage', doc: 'A key file is unreadable, or holds no key that can be used for this.' },
  'reference-carrier': { kind: 'usage', doc: 'The embedded reference carrier cannot start, as with an unknown fault.' },
  'clean-not-green': { kind: 'usage', doc: '`prove`: the reference carrier without any fault breaks a rule.' },
  'clock-unusable': { kind: 'usage', doc: 'The clock client of the target file gives no time that can be used.' },
  'clock-unreachable': { kind: 'unreachable', doc: "The carrier's clock did not answer." },
  'carrier-unreachable': {
    kind: 'unreachable',
    doc: 'The carrier did not answer, or not with its discovery document.',
  },
  'jwks-unreachable': { kind: 'unreachable', doc: 'The URL of `--jwks` gave no key set.' },
  'own-shortage': {
    kind: 'internal',
    doc: 'This process or machine ran out of open files, memory or ports; nothing is said of the carrier.',
  },
  'receiver-unusable': { kind: 'usage', doc: 'The receiver cannot listen on its host and port.' },
  'preflight-configuration': {
    kind: 'usage',
    doc: 'The checks before a run found something to change in the target file.',
  },
  'preflight-unreachable': {
    kind: 'unreachable',
    doc: 'The checks before a run did not reach the carrier or the receiver.',
  },
  'nothing-to-resume': { kind: 'usage', doc: '`--resume`: there is no journal, or its run came to its end.' },
  'resume-differs': {
    kind: 'usage',
    doc: '`--resume`: suites, target file, selection or version differ from the first run.',
  },
  'not-taken-back': {
    kind: 'unreachable',
    doc: '`--resume`: what the first run changed at the carrier could not be undone.',
  },
  interrupted: { kind: 'interrupted', doc: 'Ctrl-C, SIGTERM or SIGHUP ended the command before a result was there.' },
  'not-parts-of-one-run': { kind: 'usage', doc: '`merge`: the results are not the shards of one run.' },
  'compare-different': { kind: 'usage', doc: '`compare`: the results are of different rules or suites.' },
  'result-unreadable': {
    kind: 'usage',
    doc: 'A result file cannot be read, is too large, or changed while it was read.',
  },
  'result-not-json': { kind: 'usage', doc: 'A result file is not JSON.' },
  'result-cut-off': { kind: 'usage', doc: 'A result file ends in the middle.' },
  'result-not-one': { kind: 'usage', doc: 'A file is JSON, and no result of carrierspec.' },
  'result-version': { kind: 'usage', doc: 'A result has another version of the format.' },
  'result-broken': { kind: 'usage', doc: 'A result does not fit its JSON Schema.' },
  'certificate-unreadable': { kind: 'usage', doc: '`verify`: the certificate cannot be read.' },
  'no-footer': { kind: 'usage', doc: '`certify`: the result has no footer, so its run did not end.' },
  'run-interrupted': { kind: 'usage', doc: '`certify`: the run was interrupted.' },
  incomplete: { kind: 'usage', doc: '`certify`: the run was incomplete, or no required rule was judged.' },
  shard: { kind: 'usage', doc: '`certify`: the result is one shard, which `merge` has to join first.' },
  'virtual-clock': {
    kind: 'usage',
    doc: '`certify`: the clock was virtual, and the target is not declared a test carrier.',
  },
  'other-version': { kind: 'usage', doc: '`certify`: another version of carrierspec made the run.' },
  'other-program': { kind: 'usage', doc: '`certify`: another program of the same version made the run.' },
  'unknown-suites': { kind: 'usage', doc: '`certify`: the suites of the run are not those that ship.' },
  'unknown-addition': { kind: 'usage', doc: '`certify`: the run used further suites that `--suites` does not name.' },
  contradiction: { kind: 'usage', doc: '`certify`, `run --resume`: the result or journal contradicts itself.' },
} as const satisfies Readonly<Record<string, ErrorCodeEntry>>;

export type ErrorCode = keyof typeof errorCodes;

/** Stable codes of mistakes in an operator's or suite author's input. */
export type ProblemCode =
  | 'file-unreadable'
  | 'yaml-syntax'
  | 'duplicate-key'
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'bad-value'
  | 'bad-template'
  | 'unknown-name'
  | 'duplicate-id'
  | 'unknown-rule'
  | 'unknown-fault'
  | 'unknown-check'
  | 'verb-count'
  | 'no-control'
  | 'rule-without-case'
  | 'class-not-covered'
  | 'rule-not-judged-so'
  | 'reason-missing'
  | 'key-unusable'
  | 'secret-inline'
  | 'env-missing';

/** Mistake in a file, as data, so that all mistakes of all files can be shown at once. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly position: Position;
  /** Advice such as "did you mean". */
  readonly hint?: string;
  /** Source line of the position, for the caret; absent if the file could not be read. */
  readonly sourceLine?: string;
}

/** Error caused by us or the operator, never by the carrier. */
export class CarrierspecError extends Error {
  readonly kind: StopKind;
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];

  constructor(
    message: string,
    options: { readonly code: ErrorCode; readonly problems?: readonly Problem[]; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CarrierspecError';
    this.kind = errorCodes[options.code].kind;
    this.code = options.code;
    this.problems = options.problems ?? [];
  }
}
