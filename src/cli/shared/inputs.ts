import { type WithoutUndefined, omitUndefined } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';

export const flagGroups = {
  carrier: 'Which carrier:',
  selected: 'What is selected:',
  sent: 'What is sent:',
  written: 'What is written:',
  other: 'How it runs:',
} as const;

/** An argument or flag and its parser. `read` receives the command-line value, or undefined. */
export interface Input<T> {
  /** Help syntax: `-t, --target <file>`, `[what...]`. */
  readonly spec: string;
  readonly doc: string;
  /** Default: `other`. */
  readonly group?: keyof typeof flagGroups;
  /** Default value, shown in help. */
  readonly initial?: string | boolean;
  readonly many?: true;
  readonly mandatory?: true;
  /** Allowed values if few and fixed, for completion. */
  readonly of?: readonly string[];
  /** Kinds of the names that it takes, as in `list --kind`, for completion; `*`: all. */
  readonly kinds?: readonly string[];
  /** Throws CarrierspecError for an invalid value. */
  readonly read: (raw: unknown) => T;
}

export type Inputs = Readonly<Record<string, Input<unknown>>>;

/** Parsed values by input name; an omitted input without a default is absent. */
export type InputValues<I extends Inputs> = WithoutUndefined<{
  readonly [K in keyof I]: I[K] extends Input<infer T> ? T : never;
}>;

/** Parses each input from the value that `raw` returns for it. */
export function readInputs<I extends Inputs>(
  inputs: I,
  raw: (input: Input<unknown>, at: number) => unknown,
): InputValues<I>;
export function readInputs(inputs: Inputs, raw: (input: Input<unknown>, at: number) => unknown): object {
  const values = Object.entries(inputs).map(([name, input], at) => [name, input.read(raw(input, at))]);
  return omitUndefined(Object.fromEntries(values));
}

export function withGroup<I extends Inputs>(group: keyof typeof flagGroups, inputs: I): I;
export function withGroup(group: keyof typeof flagGroups, inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, { ...input, group }]));
}

/** Error for an invalid flag or argument. */
export const usageError = (message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { code: 'bad-flag', cause });

const readText = (raw: unknown): string | undefined => (typeof raw === 'string' ? raw : undefined);

/** `-t` and `--target` of `-t, --target <file>`. */
export const spellings = (spec: string): readonly string[] => spec.split(', ').map((one) => one.split(' ')[0] ?? one);

/** The name of a flag or an argument in messages: `--target`, `endpoint`. */
export const inputName = (spec: string): string => (spellings(spec).at(-1) ?? spec).replace(/^\[(.*)\]$/, '$1');

export const textInput = (spec: string, doc: string): Input<string | undefined> => ({ spec, doc, read: readText });

export const textInputOr = (spec: string, doc: string, initial: string): Input<string> => ({
  spec,
  doc,
  initial,
  read: (raw) => readText(raw) ?? initial,
});

/** Required flag; Commander exits if it is missing. */
export const mandatoryText = (spec: string, doc: string): Input<string> => ({
  spec,
  doc,
  mandatory: true,
  read: (raw) => readText(raw) ?? '',
});

/** Repeatable flag or variadic argument. */
export const textsInput = (spec: string, doc: string): Input<readonly string[]> => ({
  spec,
  doc,
  many: true,
  read: (raw) => (Array.isArray(raw) ? raw.map(String) : []),
});

export const toggle = (spec: string, doc: string): Input<boolean> => ({
  spec,
  doc,
  initial: false,
  read: (raw) => raw === true,
});

/** Flag parsed by `parse`; undefined if absent. */
export const parsedInput = <T>(spec: string, doc: string, parse: (text: string) => T): Input<T | undefined> => ({
  spec,
  doc,
  read: (raw) => {
    const given = readText(raw);
    return given === undefined ? undefined : parse(given);
  },
});

interface Choices<T extends string> {
  readonly of: readonly T[];
  readonly initial: T;
}

export const choiceInput = <T extends string>(spec: string, doc: string, choices: Choices<T>): Input<T> => ({
  spec,
  doc,
  ...choices,
  read: (raw) => parseChoice(inputName(spec), readText(raw) ?? choices.initial, choices),
});

/** One of several fixed words; undefined if absent. */
export const optionalChoiceInput = <T extends string>(
  spec: string,
  doc: string,
  of: readonly T[],
): Input<T | undefined> => ({ ...parsedInput(spec, doc, (given) => parseChoice(inputName(spec), given, { of })), of });

export function parseChoice<T extends string>(flag: string, given: string, { of }: Pick<Choices<T>, 'of'>): T {
  const found = of.find((one) => one === given);
  if (found !== undefined) return found;
  throw usageError(`${flag}: "${given}" is none of ${of.join(', ')}`);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Integer within a range; undefined if absent. */
export const wholeInput = (spec: string, doc: string, range: Range): Input<number | undefined> =>
  parsedInput(spec, doc, (given) => parseWhole(inputName(spec), given, range));

export const wholeInputOr = (
  spec: string,
  doc: string,
  range: Range & { readonly initial: number },
): Input<number> => ({
  spec,
  doc,
  initial: String(range.initial),
  read: (raw) => parseWhole(inputName(spec), readText(raw) ?? String(range.initial), range),
});

function parseWhole(flag: string, given: string, { from, to }: Range): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= from && value <= to) return value;
  throw usageError(`${flag}: "${given}" is no whole number from ${from} to ${to}`);
}

export function parseUrl(flag: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw usageError(`${flag}: "${given}" is no http or https URL`);
}

/** Milliseconds since the epoch and the UTC offset as given, in minutes. */
interface OffsetTime {
  readonly milliseconds: number;
  readonly offset: number;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|([+-])(\d\d):(\d\d))$/;

/** First and last year that stay within range and four digits at every offset. */
const yearRange = [1970, 9989] as const;

/** Rejects days such as 30 February, which JavaScript reads as a day in March. */
function isOnCalendar(given: string, { milliseconds, offset }: OffsetTime): boolean {
  const local = new Date(milliseconds + offset * 60_000);
  const year = local.getUTCFullYear();
  return year >= yearRange[0] && year <= yearRange[1] && local.toISOString().slice(0, 16) === given.slice(0, 16);
}

/** Parses an ISO 8601 time with a UTC offset; without one, the time would be ambiguous. */
export const createTimeParser =
  (flag: string) =>
  (given: string): { readonly milliseconds: number } => {
    const [whole, sign, hours = '0', minutes = '0'] = timePattern.exec(given) ?? [];
    const milliseconds = whole === undefined ? Number.NaN : Date.parse(given);
    const moment = { milliseconds, offset: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) };
    if (Number.isNaN(milliseconds) || !isOnCalendar(given, moment)) {
      throw usageError(`${flag}: "${given}" is no time such as 2026-12-01T09:00:00+01:00 or 2026-12-01T08:00Z`);
    }
    return moment;
  };
