import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Position } from '../../model/position.ts';
import type { Path, YamlDocument } from './document.ts';

/** A key, or a word that is the value of a key, as files of version 1 write it. */
export interface Renamed {
  /** Keys from the root to the mapping that holds the key; `*` stands for any key or index. */
  readonly in: readonly string[];
  /** In version 1 and now. */
  readonly from: string;
  readonly to: string;
  /** Set: the key keeps its name, and this word of it is renamed. */
  readonly value?: { readonly from: string; readonly to: string };
}

/** A place where a file still writes a name of version 1. */
export interface RenamedUse {
  /** The path of the key or the value, as the file writes it. */
  readonly path: Path;
  readonly from: string;
  readonly to: string;
  /** Where `from` stands; the quote before it where it is quoted. */
  readonly position: Position;
}

export interface Renaming {
  /** The document with today's names; positions are those of the file. */
  readonly document: YamlDocument;
  readonly uses: readonly RenamedUse[];
}

interface Walk {
  readonly document: YamlDocument;
  readonly table: readonly Renamed[];
  readonly uses: RenamedUse[];
  /** By path of today, as JSON: the key that the file writes. */
  readonly written: Map<string, string>;
}

const isAt = (path: Path, wanted: readonly string[]): boolean =>
  path.length === wanted.length && wanted.every((step, at) => step === '*' || step === path[at]);

/** Reads names of version 1 as those of today. A mapping that has both keeps both, so that the schema reports the old one. */
export function renameKeys(document: YamlDocument, table: readonly Renamed[]): Renaming {
  if (!table.some((renamed) => isUsed(renamed, document.json, renamed.in))) return { document, uses: [] };
  const walk: Walk = { document, table, uses: [], written: new Map() };
  const json = renameIn(document.json, { now: [], before: [] }, walk);
  const before = (path: Path): Path =>
    path.map((step, at) => walk.written.get(JSON.stringify(path.slice(0, at + 1))) ?? step);
  return {
    uses: walk.uses,
    document: {
      ...document,
      json,
      offset: (path) => document.offset(before(path)),
      keyOffset: (path) => document.keyOffset(before(path)),
      position: (path) => document.position(before(path)),
      keyPosition: (path) => document.keyPosition(before(path)),
      positionInside: (path, index) => document.positionInside(before(path), index),
    },
  };
}

interface Place {
  readonly now: Path;
  readonly before: Path;
}

function renameIn(json: Json, place: Place, walk: Walk): Json {
  if (Array.isArray(json)) return json.map((item: Json, at) => renameIn(item, inside(place, at, at), walk));
  if (!isJsonObject(json)) return json;
  const entries = Object.entries(json).map(([key, value]) => {
    const found = walk.table.find((one) => one.from === key && isAt(place.now, one.in) && fits(one, value, json));
    if (found === undefined) return [key, renameIn(value, inside(place, key, key), walk)] as const;
    const next = inside(place, found.to, key);
    walk.uses.push(useOf(found, next.before, walk.document));
    walk.written.set(JSON.stringify(next.now), key);
    return [found.to, found.value === undefined ? renameIn(value, next, walk) : found.value.to] as const;
  });
  return Object.fromEntries(entries);
}

function useOf({ from, to, value }: Renamed, path: Path, document: YamlDocument): RenamedUse {
  if (value === undefined) return { path, from, to, position: document.keyPosition(path) };
  return { path, ...value, position: document.position(path) };
}

/** Whether a name stands at any of its places; most files are of today, and are not walked through. */
function isUsed(renamed: Renamed, json: Json, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) {
    const value = isJsonObject(json) && Object.hasOwn(json, renamed.from) ? json[renamed.from] : undefined;
    return isJsonObject(json) && value !== undefined && fits(renamed, value, json);
  }
  if (step === '*') return Object.values(json ?? {}).some((member: Json) => isUsed(renamed, member, rest));
  const member = isJsonObject(json) && Object.hasOwn(json, step) ? json[step] : undefined;
  return member !== undefined && isUsed(renamed, member, rest);
}

const fits = ({ to, value: word }: Renamed, value: Json, all: Readonly<Record<string, Json>>): boolean =>
  word === undefined ? !Object.hasOwn(all, to) : value === word.from;

const inside = ({ now, before }: Place, to: string | number, from: string | number): Place => ({
  now: [...now, to],
  before: [...before, from],
});

const key = (path: string, from: string, to: string): Renamed => ({ in: stepsOf(path), from, to });
const word = (path: string, name: string, [from, to]: readonly [string, string]): Renamed => ({
  in: stepsOf(path),
  from: name,
  to: name,
  value: { from, to },
});
const stepsOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'));

/** The names that files of version 1 have, by the kind of file. */
export const version1: Readonly<Record<string, readonly Renamed[]>> = {
  rules: [
    ...['rules.*', 'rules.*.aspects.*'].flatMap((path) => [
      key(path, 'says', 'description'),
      word(path, 'level', ['observed', 'informational']),
    ]),
    key('rules.*', 'reading', 'interpretation'),
    key('rules.*', 'because', 'rationale'),
  ],
  suite: [
    key('cases.*', 'needs', 'requires'),
    key('cases.*', 'alone', 'exclusive'),
    word('invariants.*', 'on', ['answer', 'response']),
  ],
  limits: [
    key('limits.*', 'says', 'description'),
    key('profile.*', 'says', 'description'),
    word('limits.*.bisect', 'holds', ['answer', 'response']),
  ],
  target: [
    key('', 'deadline', 'request_timeout'),
    key('', 'patience', 'delivery_timeout'),
    key('subscribers.*', 'traits', 'tags'),
    key('attestations.*', 'says', 'description'),
  ],
  simulator: [word('', 'clock', ['driven', 'virtual'])],
};

/** Roots of templates that invariants of version 1 read. */
export const version1Roots: ReadonlyMap<string, string> = new Map([['answer', 'response']]);
