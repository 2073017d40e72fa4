import { CarrierspecError } from '../../model/problem.ts';

/** An argument or a flag, and how its value is read. `read` is given what the command line has, or undefined. */
export interface Input<T> {
  /** As help shows it: `--target <file>`, `[what...]`. */
  readonly spec: string;
  readonly doc: string;
  /** Help names it, and it is the value where the command line has none. */
  readonly initial?: string | boolean;
  /** The flag can be repeated. */
  readonly many?: true;
  readonly mandatory?: true;
  /** The values there are, where they are few and fixed: completion offers them. */
  readonly of?: readonly string[];
  /** Throws a CarrierspecError where the flag cannot have the value. */
  readonly read: (raw: unknown) => T;
}

/** A flag or an argument has a value that it cannot have. */
export const usageError = (message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { code: 'bad-flag', cause });

const readText = (raw: unknown): string | undefined => (typeof raw === 'string' ? raw : undefined);

/** `--jobs <n>` is called `--jobs` in messages. */
export const nameIn = (spec: string): string => spec.split(' ')[0] ?? spec;

export const text = (spec: string, doc: string): Input<string | undefined> => ({ spec, doc, read: readText });

export const textOr = (spec: string, doc: string, initial: string): Input<string> => ({
  spec,
  doc,
  initial,
  read: (raw) => readText(raw) ?? initial,
});

/** Commander ends the program where it is missing. */
export const mandatory = (spec: string, doc: string): Input<string> => ({
  spec,
  doc,
  mandatory: true,
  read: (raw) => readText(raw) ?? '',
});

/** A flag that can be repeated, or arguments of any number. */
export const texts = (spec: string, doc: string): Input<readonly string[]> => ({
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

/** A text that `parse` reads; undefined without the flag. */
export const parsed = <T>(spec: string, doc: string, parse: (text: string) => T): Input<T | undefined> => ({
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

export const choice = <T extends string>(spec: string, doc: string, choices: Choices<T>): Input<T> => ({
  spec,
  doc,
  initial: choices.initial,
  of: choices.of,
  read: (raw) => parseChoice(nameIn(spec), readText(raw) ?? choices.initial, choices),
});

/** One of a few words; undefined without the flag. */
export const optionalChoice = <T extends string>(
  spec: string,
  doc: string,
  of: readonly T[],
): Input<T | undefined> => ({ ...parsed(spec, doc, (given) => parseChoice(nameIn(spec), given, { of })), of });

export function parseChoice<T extends string>(flag: string, given: string, { of }: Pick<Choices<T>, 'of'>): T {
  const found = of.find((one) => one === given);
  if (found !== undefined) return found;
  throw usageError(`${flag}: "${given}" is none of ${of.join(', ')}`);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A whole number within a range; undefined without the flag. */
export const whole = (spec: string, doc: string, range: Range): Input<number | undefined> =>
  parsed(spec, doc, (given) => parseWhole(nameIn(spec), given, range));

export const wholeOr = (spec: string, doc: string, range: Range & { readonly initial: number }): Input<number> => ({
  spec,
  doc,
  initial: String(range.initial),
  read: (raw) => parseWhole(nameIn(spec), readText(raw) ?? String(range.initial), range),
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
