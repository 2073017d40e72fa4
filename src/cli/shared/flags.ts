import { parseDuration } from '../../lib/duration.ts';
import { defined } from '../../lib/optional.ts';
import { valuesOf } from '../../model/flags.ts';
import { orderNames, parseOrder, type WantedOrder } from '../../model/order.ts';
import { type Profile, profiles } from '../../model/profile.ts';
import { levels } from '../../model/rule.ts';
import type { Detail } from '../../report/terminal/findings.ts';
import { choice, parsed, text, textOr, texts, toggle, usageError } from './inputs.ts';

export const what = texts('[what...]', 'ids or globs of rules, cases, suites or areas');
export const target = text('--target <file>', 'target file of the carrier; without it, the embedded reference carrier');
export const suites = texts('--suites <dir>', 'a further folder of suites');
const fault = texts('--fault <name>', 'a fault of the embedded reference carrier');
export const without = texts('--without <area>', 'an area to leave out, such as baseline');
function parseOrderFlag(given: string): WantedOrder {
  const order = parseOrder(given);
  if (order !== undefined) return order;
  throw usageError(
    `--order: "${given}" is none of ${orderNames.join(', ')} and shuffled=SEED, with a seed of up to 64 letters, digits, ".", "_" and "-"`,
  );
}

export const order = parsed(
  '--order <order>',
  'order in which cases begin: listed, reversed, shuffled or shuffled=SEED; default: the planned order',
  parseOrderFlag,
);
export const json = toggle('--json', 'one JSON document instead of text');
export const jwks = text('--jwks <file>', 'file or URL of the keys to verify signatures with');

/** Names of src/report/formats.ts, which help does not load. */
export const report = texts(
  '--report <format=path>',
  'a further report: terminal, json, junit, html, markdown, annotations, ctrf, har, sarif; - is stdout',
);

/** A module of the user's, which only a command line names. */
export const reporter = texts('--reporter <file>', 'a module that is told of the run and its result (docs/library.md)');

export const level = choice('--level <level>', 'the lowest level: required, recommended, informational', {
  of: levels,
  initial: 'informational',
});

function parseBudget(given: string): { readonly seconds: number; readonly text: string } {
  const seconds = parseDuration(given);
  if (seconds !== undefined && seconds > 0) return { seconds, text: given };
  throw usageError(`--budget: "${given}" is no duration such as 90s, 10m or 1h30m`);
}

export const budget = parsed(
  '--budget <time>',
  'run what is planned to be over in this time, such as 10m',
  parseBudget,
);
export const exploredBudget = parsed(
  '--budget <time>',
  'begin nothing new after this time, such as 30m; default 10m',
  parseBudget,
);

/** Where runs are kept without --out, each in a folder of its own. */
export const usualFolder = 'carrierspec-report';

export const outOf = (doc: string, initial: string): ReturnType<typeof textOr> => textOr('--out <dir>', doc, initial);

/** Without it the run has a folder of its own below the usual one, and `latest` beside it leads there. */
export const keptOut = (doc: string): ReturnType<typeof text> =>
  text('--out <dir>', `${doc}; default ${usualFolder}/<time>-<run id>, and ${usualFolder}/latest leads to it`);
/** How much the report on the terminal says. */
export const detailFlags = {
  quiet: toggle('--quiet', 'on the terminal only the broken rules, the outcome and where the reports are'),
  verbose: toggle('--verbose', 'on the terminal every finding in full, also those that say the same'),
};

/** Throws where both are asked for. */
export function detailOf({ quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean }): Detail {
  if (quiet && verbose) throw usageError('--quiet and --verbose exclude each other');
  return quiet ? 'quiet' : verbose ? 'verbose' : 'usual';
}

/** The flags that choose a carrier, and the suites to judge it by. */
export const carrierFlags = { target, suites, fault };

/** The flags of a run that a result keeps, so that the same carrier can be asked again with the same suites. */
export interface RepeatedFlags {
  readonly target?: string;
  readonly suites: readonly string[];
  readonly without: readonly string[];
  readonly fault: readonly string[];
  /** Without it, that of the target file, and else `interface`. */
  readonly profile?: Profile;
  /** Without it, the planned order. */
  readonly order?: WantedOrder;
}

const repeated = (flag: string, values: readonly string[]): readonly string[] =>
  values.flatMap((value) => [flag, value]);

/** As the header of a result keeps them: each flag with its value behind it. */
export function renderFlags({
  target,
  suites,
  without,
  fault,
  profile,
  order: wanted,
}: RepeatedFlags): readonly string[] {
  return [
    ...repeated('--target', target === undefined ? [] : [target]),
    ...repeated('--suites', suites),
    ...repeated('--without', without),
    ...repeated('--fault', fault),
    ...repeated('--profile', profile === undefined ? [] : [profile]),
    ...repeated('--order', wanted === undefined ? [] : [wanted]),
  ];
}

export function parseFlags(flags: readonly string[]): RepeatedFlags {
  const [target] = valuesOf(flags, '--target');
  const [named] = valuesOf(flags, '--profile');
  const profile = profiles.find((one) => one === named);
  const [ordered] = valuesOf(flags, '--order');
  return {
    ...defined({ target, profile, order: ordered === undefined ? undefined : parseOrder(ordered) }),
    suites: valuesOf(flags, '--suites'),
    without: valuesOf(flags, '--without'),
    fault: valuesOf(flags, '--fault'),
  };
}

/** Whether flags say what to run against. */
export const namesCarrier = ({ target, fault }: Pick<RepeatedFlags, 'target' | 'fault'>): boolean =>
  target !== undefined || fault.length > 0;

/**
 * The flags of the command line; where it is silent, those of the earlier run that name no file: the faults of the embedded
 * carrier, the areas left out, the profile, the order of cases. `requireNamed` asks for the files.
 */
export function flagsToRepeat(
  given: Pick<RepeatedFlags, 'target' | 'suites' | 'fault'> &
    Partial<Pick<RepeatedFlags, 'without' | 'profile' | 'order'>>,
  before: readonly string[],
): RepeatedFlags {
  const earlier = parseFlags(before);
  const { target, suites, without = [], profile, order: wanted } = given;
  return defined({
    target,
    suites,
    fault: namesCarrier(given) ? given.fault : earlier.fault,
    without: without.length > 0 ? without : earlier.without,
    profile: profile ?? earlier.profile,
    order: wanted ?? earlier.order,
  });
}
