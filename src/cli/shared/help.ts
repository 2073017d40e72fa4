import { exitCodes } from '../exit-codes.ts';
import type { Inputs } from './inputs.ts';

type ExitCode = keyof typeof exitCodes;

/** The headings of `carrierspec --help`, in its order. */
export const commandGroups = {
  certify: 'Certify a carrier:',
  desk: 'At the desk:',
  results: 'Results:',
  suite: 'The suite itself:',
} as const;

/** How a command can end, other than by a fault of our own; a text where the code means something of its own there. */
type Ends = Partial<Readonly<Record<ExitCode, true | string>>>;

/** A command of the program, apart from what it does: `--help` loads nothing more. */
export interface Definition<A extends Inputs = Inputs, F extends Inputs = Inputs> {
  readonly name: string;
  readonly group: keyof typeof commandGroups;
  readonly summary: string;
  readonly description?: string;
  readonly args: A;
  readonly flags: F;
  /** What stands behind `carrierspec NAME`, an example a line. */
  readonly examples: readonly string[];
  readonly ends: Ends;
  /** The page that says more, from the root of the package. */
  readonly docs: string;
  /** Help does not list it: a program calls it, not a person. */
  readonly hidden?: true;
}

export const defineCommand = <A extends Inputs, F extends Inputs>(definition: Definition<A, F>): Definition<A, F> =>
  definition;

/** What ends a command, in the words of its help; docs/commands.md has the same in full. */
const exitWords: Readonly<Record<ExitCode, string>> = {
  conformant: 'conformant',
  'not conformant': 'not conformant: a required rule is broken',
  usage: 'bad usage, suite or target file, or nothing is selected',
  unreachable: 'the carrier or the receiver is out of reach',
  incomplete: 'incomplete: not everything selected could be judged',
  internal: 'a fault of carrierspec itself',
  interrupted: 'interrupted',
};

/** How a command ends that only writes something. */
export const done: Ends = { conformant: 'done', usage: true };
/** How a run can end, and what judges one that is over. */
export const judged: Ends = {
  conformant: true,
  'not conformant': true,
  usage: true,
  incomplete: true,
  interrupted: true,
};
export const verdicts: Ends = { ...judged, unreachable: true };

const isExitCode = (name: string): name is ExitCode => Object.hasOwn(exitCodes, name);

/** The exit codes that a command can end with, each with what it means there; one of our own fault can end every command. */
export function endsOf(ends: Ends): readonly (readonly [code: number, words: string])[] {
  const all: Ends = { ...ends, internal: true };
  return Object.keys(exitCodes)
    .filter(isExitCode)
    .flatMap((name) => {
      const own = all[name];
      const words = own === true ? exitWords[name] : own;
      return words === undefined ? [] : [[exitCodes[name], words] as const];
    });
}

const renderAfter = (examples: readonly string[], ends: Ends, more: string): string =>
  [
    '\nExamples:',
    ...examples.map((example) => `  carrierspec ${example}`.trimEnd()),
    '\nExit codes:',
    ...endsOf(ends).map(([code, words]) => `  ${String(code).padEnd(5)}${words}`),
    `\nMore: ${more}`,
  ].join('\n');

export const renderAfterHelp = ({ name, examples, ends, docs }: Definition): string =>
  renderAfter(
    examples.map((example) => `${name} ${example}`),
    ends,
    `${docs} of the package`,
  );

export const renderAfterOverview = (): string =>
  renderAfter(
    ['run', 'init my-carrier', 'run --target my-carrier/carrier.yaml', 'explain REQ-015'],
    verdicts,
    'docs/commands.md of the package; carrierspec COMMAND --help',
  );
