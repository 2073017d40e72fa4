import { parseDuration } from '../../lib/duration.ts';
import { type Hours, noDayPasses, parseHours } from '../../lib/hours.ts';
import { type repeatedFlags, flagValues } from '../../model/flags.ts';
import { orderNames, parseOrder, type WantedOrder } from '../../engine/plan/case-order.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type Profile, profiles } from '../../model/profile.ts';
import { unsafe } from '../../model/risk.ts';
import { type Level, levels } from '../../model/rule.ts';
import type { Target } from '../../model/target.ts';
import { comparisonFormats, formats } from '../../report/formats.ts';
import type { DetailLevel } from '../../report/terminal/findings.ts';
import {
  choiceInput,
  withGroup,
  type Input,
  inputName,
  optionalChoiceInput,
  parsedInput,
  readInputs,
  textInput,
  textsInput,
  toggle,
  usageError,
  type InputValues,
} from './inputs.ts';

export const whatArgument = {
  ...textsInput('[what...]', 'ids or globs of rules, cases, suites or areas'),
  kinds: ['rule', 'case', 'invariant', 'area'],
};

export const carrierFlags = withGroup('carrier', {
  target: textInput('-t, --target <file>', 'target file of the carrier; without it, the embedded reference carrier'),
  suites: textsInput('--suites <dir>', 'a further folder of suites'),
  fault: { ...textsInput('-f, --fault <name>', 'a fault of the embedded reference carrier'), kinds: ['fault'] },
});
export const { target, suites } = carrierFlags;

function parseBudget(given: string): { readonly seconds: number; readonly text: string } {
  const seconds = parseDuration(given);
  if (seconds !== undefined && seconds > 0) return { seconds, text: given };
  throw usageError(`--budget: "${given}" is no duration such as 90s, 10m or 1h30m`);
}

export const { without, safe, level, profile, budget, exploredBudget } = withGroup('selected', {
  without: {
    ...textsInput(
      '--without <part>',
      'what to leave out: an area such as baseline; generated cases; or strangers, floods, changes (explain safe)',
    ),
    kinds: ['area', 'risk'],
  },
  safe: toggle(
    '--safe',
    'only what is fit for a carrier in production: no strangers, floods or changes (explain safe)',
  ),
  level: choiceInput<Level>('-l, --level <level>', 'the lowest level: required, recommended, informational', {
    of: levels,
    initial: 'informational',
  }),
  profile: optionalChoiceInput<Profile>(
    '--profile <name>',
    'the rules that count: interface with the critical ones of the baseline, hardened with all of the baseline, or strict with recommended rules as well; default: that of the target file, else interface',
    profiles,
  ),
  budget: parsedInput(
    '--budget <time>',
    'run only the cases that are planned to end within this time, such as 10m',
    parseBudget,
  ),
  exploredBudget: parsedInput(
    '--budget <time>',
    'begin nothing new after this time, such as 30m; default 10m',
    parseBudget,
  ),
});

function parseHoursFlag(given: string): Hours {
  const hours = parseHours(given);
  if (hours !== undefined) return hours;
  throw usageError(`--hours: "${given}" is no time of the day to another one such as 09:00-17:00`);
}

export const hours = parsedInput(
  '--hours <from-to>',
  'hours of the local day in which phones get pushes and people are asked, such as 09:00-17:00; the run waits outside of them',
  parseHoursFlag,
);

/** Hours of a run: those of the command line, else of the target file. Throws if they are given for a virtual clock. */
export function chooseHours(given: Hours | undefined, { clock, hours: own }: Pick<Target, 'clock' | 'hours'>) {
  if (given !== undefined && clock !== undefined) throw usageError(`--hours: ${noDayPasses}`);
  return given ?? own;
}

function parseOrderFlag(given: string): WantedOrder {
  const order = parseOrder(given);
  if (order !== undefined) return order;
  throw usageError(
    `--order: "${given}" is none of ${orderNames.join(', ')} and shuffled=SEED, with a seed of up to 64 letters, digits, ".", "_" and "-"`,
  );
}

export const order = parsedInput(
  '--order <order>',
  'order in which cases begin: listed, reversed, shuffled or shuffled=SEED; default: the planned order',
  parseOrderFlag,
);

export const jwks = textInput('--jwks <file>', 'file or URL of the keys to verify signatures with');

/** A user's module; it can be named only on the command line. */
export const reporter = textsInput(
  '--reporter <file>',
  'a module that receives events and the result (docs/library.md)',
);

/** Parent folder of runs without --out; each run gets its own folder. */
export const defaultRunsFolder = 'carrierspec-report';
const defaultOutText = `default ${defaultRunsFolder}/<time>-<run id>, and ${defaultRunsFolder}/latest leads to it`;

const reportAs = (doc: string, names: readonly string[]): Input<readonly string[]> => ({
  ...textsInput('-r, --report <format=path>', `${doc}${names.join(', ')}; - is stdout`),
  of: names.map((name) => `${name}=`),
});

export const { json, report, comparison, runOut, mergeOut } = withGroup('written', {
  json: toggle('--json', 'one JSON document instead of text'),
  report: reportAs('a further report: ', Object.keys(formats)),
  comparison: reportAs('', Object.keys(comparisonFormats)),
  runOut: textInput('-o, --out <dir>', `folder of the journal, the result and the reports; ${defaultOutText}`),
  mergeOut: textInput('-o, --out <dir>', `folder of the joined result and the reports; ${defaultOutText}`),
});

export const detailFlags = withGroup('written', {
  quiet: toggle('-q, --quiet', 'on the terminal only the broken rules, the outcome and where the reports are'),
  verbose: toggle(
    '-v, --verbose',
    'on the terminal everything: the head of the run, each area, each finding, what was recorded',
  ),
});

/** Records `--safe` as the `--without` that it stands for, which every command that repeats a run keeps. */
export const withSafe = <Given extends { readonly safe: boolean; readonly without: readonly string[] }>(
  given: Given,
): Given => (given.safe ? { ...given, without: [...new Set([...given.without, unsafe])] } : given);

/** Throws if both are set. */
export function chooseDetail({ quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean }): DetailLevel {
  if (quiet && verbose) throw usageError('--quiet and --verbose exclude each other');
  return quiet ? 'quiet' : verbose ? 'whole' : 'brief';
}

/** Flags recorded in a result, in order, to repeat the run against the same carrier with the same suites. */
const repeatedInputs = {
  target,
  suites,
  without,
  fault: carrierFlags.fault,
  profile,
  order,
} as const satisfies Readonly<Record<(typeof repeatedFlags)[number], unknown>>;

export type RepeatedFlags = InputValues<typeof repeatedInputs>;

/** Renders flags for a result header: each name followed by its value. */
export function renderFlags(given: Partial<RepeatedFlags>): readonly string[] {
  const values: Readonly<Record<string, string | readonly string[] | undefined>> = given;
  return Object.entries(repeatedInputs).flatMap(([name, { spec }]) =>
    [values[name] ?? []].flat().flatMap((value) => [inputName(spec), value]),
  );
}

/** Reads the flags of a result header. Drops values that a flag cannot have: the file may be edited. */
export const parseFlags = (flags: readonly string[]): RepeatedFlags =>
  readInputs(repeatedInputs, ({ spec, many, read }) => {
    const values = flagValues(flags, inputName(spec));
    return many === true ? values : values.slice(0, 1).find((value) => canRead(read, value));
  });

function canRead(read: (raw: unknown) => unknown, value: string): boolean {
  try {
    read(value);
    return true;
  } catch (error) {
    if (error instanceof CarrierspecError) return false;
    throw error;
  }
}
