import { isJsonObject, type Json, renderPlain } from '../../lib/json.ts';
import { MissingValue, type Scope } from '../../model/suite.ts';
import { forgeToken } from './forge.ts';
import { uriPart, withEscapedLetter, withUriPart } from './uri.ts';
import { createPublicKey } from 'node:crypto';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** One o'clock UTC on the last Sunday of a month, when summer time begins and ends in Europe. */
function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, daysIn(year, month), 1);
  return last - new Date(last).getUTCDay() * day;
}

/** The n-th Sunday of a month, at midnight UTC. */
function sundayOfMonth(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
}

/** Yearly moments; undefined for a year without a leap day. */
const yearlyMoments: Readonly<Record<string, (year: number) => number | undefined>> = {
  year: (year) => Date.UTC(year, 0, 1),
  'leap-day': (year) => (daysIn(year, 1) === 29 ? Date.UTC(year, 1, 29) : undefined),
  'summer-time': (year) => lastSunday(year, 2),
  'winter-time': (year) => lastSunday(year, 9),
  // Two o'clock in the Central time zone of North America: second Sunday of March, first Sunday of November.
  'daylight-time': (year) => sundayOfMonth(year, 2, 2) + 8 * hour,
  'standard-time': (year) => sundayOfMonth(year, 10, 1) + 7 * hour,
};

const momentUnits: Readonly<Record<string, number>> = { minute, hour, day };

/** Names of recurring moments; times of day such as `03:00` also recur. */
const recurringNames: readonly string[] = [...Object.keys(momentUnits), ...Object.keys(yearlyMoments)];

/** Leap days are at most eight years apart. */
const searchedYears = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Returns the first moment with this name after a time, both in milliseconds since the epoch, UTC; undefined if the name is unknown. */
export function findNextMoment(name: string, after: number): number | undefined {
  const unit = Object.hasOwn(momentUnits, name) ? momentUnits[name] : undefined;
  if (unit !== undefined) return (Math.floor(after / unit) + 1) * unit;
  const [, hours, minutes] = clockTime.exec(name) ?? [];
  if (hours !== undefined) {
    const ofDay = Number(hours) * hour + Number(minutes) * minute;
    return (Math.floor((after - ofDay) / day) + 1) * day + ofDay;
  }
  const inYear = Object.hasOwn(yearlyMoments, name) ? yearlyMoments[name] : undefined;
  const year = new Date(after).getUTCFullYear();
  return searchedYears.map((more) => inYear?.(year + more)).find((at) => at !== undefined && at > after);
}

interface TemplateFunction {
  readonly parameters: string;
  readonly least: number;
  readonly most: number;
  readonly gives: 'text' | 'number' | 'any';
  /** A missing value is passed as null. */
  readonly takesMissing?: true;
  readonly call: (values: readonly Json[], scope: Scope) => Json;
}

const maxTextLength = 1_000_000;
const letterAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Closed table of functions. Describe a new one in docs/suite-language.md too. */
export const templateFunctions: Readonly<Record<string, TemplateFunction>> = {
  fresh: { parameters: '', least: 0, most: 0, gives: 'text', call: (_, scope) => scope.random(8) },
  letters: {
    parameters: 'n',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([count = null], scope) => drawText(letterAlphabet, requireLength(count), scope),
  },
  digits: {
    parameters: 'n',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([count = null], scope) => drawText('0123456789', requireLength(count), scope),
  },
  repeat: {
    parameters: "'x', n",
    least: 2,
    most: 2,
    gives: 'text',
    call: ([text = null, count = null]) => repeatText(renderPlain(text), requireLength(count)),
  },
  head: {
    parameters: 'v, n',
    least: 2,
    most: 2,
    gives: 'text',
    call: ([text = null, count = null]) => renderPlain(text).slice(0, requireLength(count)),
  },
  rest: {
    parameters: 'v, n',
    least: 2,
    most: 2,
    gives: 'text',
    call: ([text = null, count = null]) => renderPlain(text).slice(requireLength(count)),
  },
  cut: {
    parameters: 'v, n',
    least: 2,
    most: 2,
    gives: 'text',
    call: ([text = null, count = null]) => dropEnd(renderPlain(text), requireLength(count)),
  },
  wide: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([value = null]) => widenLetter(renderPlain(value)),
  },
  next: {
    parameters: "'hour', seconds",
    least: 1,
    most: 2,
    gives: 'number',
    call: ([name = null, ahead = 0], scope) =>
      requireNextMoment(renderPlain(name), scope.now() + requireNumber(ahead, 'next()')),
  },
  string: { parameters: 'v', least: 1, most: 1, gives: 'text', call: ([value = null]) => renderPlain(value) },
  millis: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'number',
    call: ([value = null]) => Math.round(requireNumber(value, 'millis()') * 1000),
  },
  upper: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([value = null]) => renderPlain(value).toUpperCase(),
  },
  lower: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([value = null]) => renderPlain(value).toLowerCase(),
  },
  json: { parameters: 'v', least: 1, most: 1, gives: 'text', call: ([value = null]) => JSON.stringify(value) },
  replace: {
    parameters: "v, 'this', 'that'",
    least: 3,
    most: 3,
    gives: 'text',
    call: ([value = null, wanted = null, instead = null]) =>
      renderPlain(value).split(renderPlain(wanted)).join(renderPlain(instead)),
  },
  concat: {
    parameters: 'a, b, ...',
    least: 1,
    most: 100,
    gives: 'text',
    call: (values) => values.map(renderPlain).join(''),
  },
  or: {
    parameters: 'a, b, ...',
    least: 2,
    most: 100,
    gives: 'any',
    takesMissing: true,
    call: (values) => values.find((value) => value !== null) ?? null,
  },
  part: {
    parameters: "uri, 'host'",
    least: 2,
    most: 2,
    gives: 'text',
    call: ([uri = null, name = null]) => uriPart(renderPlain(uri), renderPlain(name)),
  },
  with: {
    parameters: "uri, 'host', v",
    least: 3,
    most: 3,
    gives: 'text',
    call: ([uri = null, name = null, value = null]) =>
      withUriPart(renderPlain(uri), renderPlain(name), renderPlain(value)),
  },
  escaped: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([value = null]) => withEscapedLetter(renderPlain(value)),
  },
  forged: {
    parameters: "jwt, 'none', keys",
    least: 3,
    most: 3,
    gives: 'text',
    call: ([jwt = null, how = null, keys = null]) => forgeToken(renderPlain(jwt), renderPlain(how), readableKeys(keys)),
  },
  lookalike: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([value = null]) => makeLookalike(renderPlain(value)),
  },
  replaced: {
    parameters: "v, 'first'",
    least: 2,
    most: 2,
    gives: 'text',
    call: ([value = null, place = null]) => replaceOne(renderPlain(value), renderPlain(place)),
  },
  accented: {
    parameters: 'v',
    least: 1,
    most: 1,
    gives: 'text',
    call: ([value = null]) => accentLetter(renderPlain(value)),
  },
  first_with: {
    parameters: "list, 'https:'",
    least: 2,
    most: 2,
    gives: 'text',
    call: ([list = null, start = null]) => requireFirstItem(list, (item) => item.startsWith(renderPlain(start))),
  },
  first_without: {
    parameters: "list, 'https:'",
    least: 2,
    most: 2,
    gives: 'text',
    call: ([list = null, start = null]) => requireFirstItem(list, (item) => !item.startsWith(renderPlain(start))),
  },
  turn: {
    parameters: 'list, n',
    least: 2,
    most: 2,
    gives: 'any',
    call: ([list = null, turn = null]) => itemAtTurn(list, requireLength(turn)),
  },
  readable: { parameters: 'keys', least: 1, most: 1, gives: 'any', call: ([keys = null]) => readableKeys(keys) },
  unlisted: {
    parameters: 'list, a, b, ...',
    least: 2,
    most: 100,
    gives: 'text',
    call: ([list = null, ...values]) => firstUnlisted(list, values),
  },
};

/** Replaces each of the last letters and digits by the next of its kind: a different value of the same form. */
function makeLookalike(text: string): string {
  const kept = text.slice(0, -changedCharacters);
  return kept + text.slice(kept.length).replaceAll(/[0-9A-Za-z]/g, (one) => nextCharacter[one] ?? one);
}

/** Index of the character that `replaced` changes; throws MissingValue for another place. */
function placeIn(text: string, place: string): number {
  const places: Readonly<Record<string, number>> = { first: 0, middle: text.length >> 1, last: text.length - 1 };
  const index = Object.hasOwn(places, place) ? places[place] : undefined;
  if (index === undefined) throw new MissingValue(`place ${place} in replaced(): there are first, middle and last`);
  return index;
}

/** Replaces one letter or digit by the next of its kind, or another character by x. */
function replaceOne(text: string, place: string): string {
  const index = placeIn(text, place);
  const one = text[index] ?? '';
  return `${text.slice(0, index)}${nextCharacter[one] ?? 'x'}${text.slice(index + 1)}`;
}

/** Puts an accent on the first letter. */
const accentLetter = (text: string): string => text.replace(/[A-Za-z]/, (one) => `${one}\u0301`.normalize('NFC'));

const changedCharacters = 8;

const nextCharacter: Readonly<Record<string, string>> = Object.fromEntries(
  ['0123456789', letterAlphabet.slice(0, 26), letterAlphabet.slice(26)].flatMap((kind) =>
    Array.from(kind, (one, at) => [one, kind[(at + 1) % kind.length] ?? one]),
  ),
);

const dropEnd = (text: string, count: number): string => text.slice(0, Math.max(0, text.length - count));

/** Replaces the last letter or digit by its full-width form, which NFKC maps back to it. */
const widenLetter = (text: string): string =>
  text.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0));

/** Returns seconds since the epoch; throws MissingValue for an unknown name. */
function requireNextMoment(name: string, after: number): number {
  const found = findNextMoment(name, after * 1000);
  if (found === undefined) throw new MissingValue(`moment ${name}: there are ${recurringNames.join(', ')} and 03:00`);
  return found / 1000;
}

const renderItems = (list: Json): readonly string[] =>
  Array.isArray(list) ? list.map(renderPlain) : [renderPlain(list)];

/** Keeps the public keys of a JWK list that Node supports (RFC 7517 §5: ignore others). */
function readableKeys(keys: Json): Json {
  const isReadable = (key: Json): boolean => {
    try {
      return isJsonObject(key) && createPublicKey({ key: { ...key }, format: 'jwk' }).type === 'public';
    } catch {
      return false;
    }
  };
  const all: readonly Json[] = Array.isArray(keys) ? keys : [];
  return all.filter(isReadable);
}

/** Item at index `turn` modulo the length. */
function itemAtTurn(list: Json, turn: number): Json {
  if (!Array.isArray(list) || list.length === 0) throw new MissingValue('item in the list of turn()');
  const items: readonly Json[] = list;
  return items[turn % items.length] ?? null;
}

/** Returns the first item that matches; throws MissingValue if none does. */
function requireFirstItem(list: Json, isWanted: (item: string) => boolean): string {
  const found = renderItems(list).find(isWanted);
  if (found === undefined) throw new MissingValue('such value in the list');
  return found;
}

/** Returns the first value that is not in the list. */
function firstUnlisted(list: Json, values: readonly Json[]): string {
  const known = renderItems(list);
  return requireFirstItem([...values], (value) => !known.includes(value));
}

/** Returns a finite number; throws MissingValue for anything else. */
export function requireNumber(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new MissingValue(`number in ${where}`);
}

function requireLength(value: Json): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTextLength) return value;
  throw new MissingValue(`length from 0 to ${maxTextLength}`);
}

function repeatText(text: string, count: number): string {
  if (text.length * count > maxTextLength) throw new MissingValue(`length from 0 to ${maxTextLength}`);
  return text.repeat(count);
}

/** A text of `count` characters of the alphabet. */
function drawText(alphabet: string, count: number, scope: Scope): string {
  const bytes = scope.random(count);
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const byte = Number.parseInt(bytes.slice(index * 2, index * 2 + 2), 16);
    text += alphabet.charAt(byte % alphabet.length);
  }
  return text;
}
