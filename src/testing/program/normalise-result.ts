import { createHash } from 'node:crypto';
import { isJsonObject } from '../../lib/json.ts';
import type { Result, ResultFooter } from '../../model/result.ts';

/** Start of every sample. */
const startOfSample = Date.parse('2026-01-01T00:00:00.000Z');
const firstPort = 8600;

/** Digits that look random but are the same every time. */
function digits(kind: string, nth: number, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += createHash('sha256').update(`${kind} ${nth} ${part}`).digest('hex');
  }
  return text.slice(0, length);
}

const letters = (kind: string, nth: number, length: number): string =>
  digits(kind, nth, length).replace(/./g, (digit) => 'abcdefghijkmnprs'[Number.parseInt(digit, 16)] ?? 'x');

interface RandomValue {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly replace: (nth: number, found: string) => string;
}

/** Values that differ between runs, in the order of replacement. */
const randomValues: readonly RandomValue[] = [
  { kind: 'port', pattern: /(?<=127\.0\.0\.1:)\d{2,5}/g, replace: (nth) => String(firstPort + nth) },
  {
    kind: 'digest',
    pattern: /(?<=sha256:)[0-9a-f]{12,64}/g,
    replace: (nth, { length }) => digits('digest', nth, length),
  },
  // The length of a JWS depends on the digits of a port.
  { kind: 'length', pattern: /(?<=sha256:[0-9a-f]{12}, )[\d,]+(?= characters?\b)/g, replace: () => '800' },
  { kind: 'ccid', pattern: /(?<=ccid-)[A-Za-z0-9]{24,}/g, replace: (nth, { length }) => digits('ccid', nth, length) },
  {
    kind: 'hex',
    pattern: /(?<![0-9A-Za-z])[0-9a-f]{16}(?![0-9A-Za-z])/g,
    replace: (nth, { length }) => digits('hex', nth, length),
  },
  {
    kind: 'order',
    pattern: /(?<=Example-order-)[A-Za-z]{12}/g,
    replace: (nth, { length }) => letters('order', nth, length),
  },
];

/** Maps equal values to equal ones and different values to different ones, so that relations stay visible. */
function createRenamer(): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) =>
    randomValues.reduce(
      (left, { kind, pattern, replace }) =>
        left.replace(pattern, (found) => {
          const key = `${kind} ${found}`;
          const name = known.get(key) ?? replace(counts.get(kind) ?? 0, found);
          if (!known.has(key)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
          known.set(key, name);
          return name;
        }),
      text,
    );
}

/** Moves moments near the run to the start of the sample: dates, and seconds and milliseconds since the epoch. */
function createTimeShift(startedAt: number) {
  const seconds = Math.floor(startedAt / 1000);
  const isNear = (value: number, start: number, unit: number): boolean => Math.abs(value - start) < 86_400 * 30 * unit;
  const moved = (value: number): number => {
    if (isNear(value, startedAt, 1000)) return value - startedAt + startOfSample;
    return Number.isInteger(value) && isNear(value, seconds, 1) ? value - seconds + startOfSample / 1000 : value;
  };
  const text = (value: string): string =>
    value
      .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, (date) =>
        new Date(moved(Date.parse(date) / 1000) * 1000).toUTCString(),
      )
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (date) => new Date(moved(Date.parse(date))).toISOString())
      .replace(/\b\d{10}\b/g, (digits) => String(moved(Number(digits))));
  return { moved, text };
}

/** Members whose values are random, which only their name shows. */
const randomMembers: ReadonlySet<string> = new Set(['context', 'at_hash']);

/** Random letters, or the 22 characters of half a SHA-256. */
const isRandom = (text: string): boolean => /^[A-Za-z]{7,9}$|^[\w-]{22}$/.test(text);

function randomTexts(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) randomTexts(item, found);
  if (!isJsonObject(value)) return found;
  for (const [name, member] of Object.entries(value)) {
    if (randomMembers.has(name) && typeof member === 'string' && isRandom(member)) found.add(member);
    else randomTexts(member, found);
  }
  return found;
}

/** Only files that the sample names: with the others, each new suite would change it. */
function namedFiles({ header, cases, invariants }: Result): readonly string[] {
  const named = [...cases, ...invariants].map(({ position }) => position.file);
  return header.suites.files.filter((file) => named.some((one) => one.endsWith(file)));
}

function walk(value: unknown, change: { text: (text: string) => string; number: (value: number) => number }): unknown {
  if (typeof value === 'string') return change.text(value);
  if (typeof value === 'number') return change.number(value);
  if (Array.isArray(value)) return value.map((item: unknown) => walk(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name, walk(member, change)]),
  );
}

/** The seal of a result without what differs between runs: its time is that of the machine, its digests are of random values. */
const fixedSeal = ({ seal, endedAt }: ResultFooter): Pick<ResultFooter, 'seal'> =>
  seal === undefined ? {} : { seal: { ...seal, at: endedAt, caseDigests: digits('case', 0, seal.caseDigests.length) } };

/**
 * A result on a virtual clock without random parts: times start at 2026-01-01, ids, ports and digests are numbered, the
 * duration and the release of Node are fixed. Everything that was judged stays unchanged.
 */
export function normaliseResult(result: Result): unknown {
  const clock = createTimeShift(Date.parse(result.header.startedAt));
  const names = createRenamer();
  const { header, footer } = result;
  const plain = {
    header: {
      ...header,
      tool: { ...header.tool, node: 'v20.20.2' },
      suites: { ...header.suites, files: namedFiles(result) },
    },
    rules: result.rules,
    invariants: result.invariants,
    cases: [...result.cases],
    unsolicited: result.unsolicited,
    ...(footer === undefined ? {} : { footer: { ...footer, wallMilliseconds: 250, ...fixedSeal(footer) } }),
  };
  const learned = new Map([...randomTexts(plain)].map((text, nth) => [text, letters('text', nth, text.length)]));
  const text = (given: string): string => {
    let left = given;
    for (const [random, name] of learned) left = left.replaceAll(random, name);
    return names(clock.text(left));
  };
  return walk(plain, { text, number: clock.moved });
}
