import type { exitCodes } from '../exit-codes.ts';

export type ExitCode = keyof typeof exitCodes;

/** What ends a command, in the words of its help; docs/commands.md has the same in full. */
export const exitWords: Readonly<Record<ExitCode, string>> = {
  conformant: 'conformant',
  'not conformant': 'not conformant: a required rule is broken',
  usage: 'bad usage, suite or target file, or nothing is selected',
  unreachable: 'the carrier or the receiver is out of reach',
  incomplete: 'incomplete: not everything selected could be judged',
  internal: 'a fault of carrierspec itself',
  interrupted: 'interrupted',
};

/** The headings of `carrierspec --help`, in its order. */
export const commandGroups = {
  certify: 'Certify a carrier:',
  desk: 'At the desk:',
  results: 'Results:',
  suite: 'The suite itself:',
} as const;

/** What the help of a command has beside its arguments, flags and examples. */
export interface HelpRow {
  readonly group: keyof typeof commandGroups;
  /** The page that says more, from the root of the package. */
  readonly docs: string;
  /** How it can end, other than by a fault of our own; a text where the code means something of its own there. */
  readonly ends: Partial<Readonly<Record<ExitCode, true | string>>>;
}

const judged = {
  conformant: true,
  'not conformant': true,
  usage: true,
  incomplete: true,
  interrupted: true,
} as const;
/** How a run can end. */
export const verdicts = { ...judged, unreachable: true } as const;
const written = { conformant: 'done', usage: true } as const;

/** By the name of the command. */
export const helpRows: Readonly<Record<string, HelpRow>> = {
  init: {
    group: 'certify',
    docs: 'docs/target-file.md',
    ends: { ...written, usage: 'bad usage, or a file is there already' },
  },
  check: {
    group: 'certify',
    docs: 'docs/preflight.md',
    ends: {
      conformant: 'no mistakes; of --preflight: a run can begin',
      usage: 'mistakes, or bad usage; of --preflight: the configuration has to change',
      unreachable: true,
      interrupted: true,
    },
  },
  plan: { group: 'certify', docs: 'docs/running.md', ends: written },
  run: { group: 'certify', docs: 'docs/running.md', ends: verdicts },
  explore: {
    group: 'certify',
    docs: 'docs/explore.md',
    ends: { ...verdicts, conformant: 'no required rule was seen broken', 'not conformant': true },
  },
  measure: {
    group: 'certify',
    docs: 'docs/limits.md',
    ends: {
      conformant: 'every limit was found',
      usage: true,
      unreachable: true,
      incomplete: 'a limit was not found',
      interrupted: true,
    },
  },
  list: { group: 'desk', docs: 'docs/commands.md', ends: written },
  explain: { group: 'desk', docs: 'docs/commands.md', ends: written },
  send: {
    group: 'desk',
    docs: 'docs/spot-checks.md',
    ends: { ...verdicts, conformant: 'answered, and no rule is broken', incomplete: 'not all that was asked for came' },
  },
  decode: {
    group: 'desk',
    docs: 'docs/spot-checks.md',
    ends: {
      conformant: 'no required rule is broken',
      'not conformant': 'a required rule is broken',
      usage: true,
      unreachable: 'the URL of --jwks gave no keys',
    },
  },
  listen: { group: 'desk', docs: 'docs/spot-checks.md', ends: { conformant: 'ended by Ctrl-C', usage: true } },
  report: { group: 'results', docs: 'docs/ci.md', ends: written },
  merge: { group: 'results', docs: 'docs/running.md', ends: judged },
  compare: { group: 'results', docs: 'docs/limits.md', ends: { ...written, conformant: 'done, whatever it shows' } },
  history: {
    group: 'results',
    docs: 'docs/history.md',
    ends: {
      ...written,
      conformant: 'listed or written, whatever it shows',
      'not conformant': 'of --turned-since: a rule became worse',
      incomplete: 'of --turned-since: a carrier has no run since then',
    },
  },
  certify: {
    group: 'results',
    docs: 'docs/certification.md',
    ends: { ...written, conformant: 'signed, whatever outcome it certifies' },
  },
  verify: {
    group: 'results',
    docs: 'docs/certification.md',
    ends: { conformant: 'valid', 'not conformant': 'not valid, or not of this result', usage: true },
  },
  carrier: { group: 'suite', docs: 'docs/simulator.md', ends: { conformant: 'ended by Ctrl-C', usage: true } },
  prove: {
    group: 'suite',
    docs: 'docs/prove.md',
    ends: { conformant: 'everything is proved', 'not conformant': 'something is not as declared', usage: true },
  },
  completion: { group: 'suite', docs: 'docs/commands.md', ends: written },
};
