import { type Parse, parseYaml, type YamlDocument } from './document.ts';
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, isList, textsIn } from '../../lib/json.ts';
import { readPacked } from '../../lib/package-file.ts';
import type { Path } from './yaml-tree.ts';
import { linesOf } from './positions.ts';
import type { CaseFacts, Facts } from '../compile/context.ts';
import { rulesOf, type Suites } from '../suites.ts';

/** Offsets of the values of a document: of a scalar, or of a list or mapping with its members and their keys. */
type Places = Json;

const format = 3;

/** A file is the same where its kind and every byte of it are. */
const keyOf = (kind: string, text: string): string =>
  `${kind} ${createHash('sha256').update(text).digest('base64url')}`;

/** Parses files, and keeps what was parsed: reading YAML is what costs most at the start of every command. */
interface Recorder {
  readonly parse: Parse;
  /** What was parsed and what else was found out about it, as it is written to disk; only where all of it was read without a mistake. */
  readonly packed: (facts: Json) => Json;
}

export function recordParsed(): Recorder {
  const documents: Record<string, Json> = {};
  return {
    parse: (text, file, kind) => {
      const document = parseYaml(text, file);
      documents[keyOf(kind, text)] = [document.json, placesOf(document, [], document.json)];
      return document;
    },
    packed: (facts) => ({ format, documents, facts }),
  };
}

export interface Prepared {
  /** Finds what was parsed, and parses the rest. */
  readonly parse: Parse;
  /** What else was found out about them. */
  readonly facts: Json | undefined;
}

/** Opens what a recorder kept; a file that is not there, or of another version, holds nothing. */
export function openPrepared(path: string): Prepared {
  // The build has written it: as JSON, and with halves of characters where a suite has them.
  const read = readPacked(path) as Json | undefined;
  const kept = isJsonObject(read) && read['format'] === format ? read : {};
  const { documents, facts } = kept;
  const parse: Parse = (text, file, kind) => {
    const found = isJsonObject(documents) ? documents[keyOf(kind, text)] : undefined;
    if (!isList(found)) return parseYaml(text, file);
    return restore(text, file, { json: found[0] ?? null, places: found[1] ?? 0 });
  };
  return { parse, facts };
}

function placesOf(document: YamlDocument, path: Path, json: Json): Places {
  const offset = document.offset(path);
  if (isList(json)) return [offset, json.map((item, at) => placesOf(document, [...path, at], item))];
  if (!isJsonObject(json)) return offset;
  const members = Object.entries(json).map(([key, member]) => {
    const inside = [...path, key];
    return [key, [document.keyOffset(inside), placesOf(document, inside, member)]] as const;
  });
  return [offset, Object.fromEntries(members)];
}

const offsetOf = (places: Json): number => Number(isList(places) ? places[0] : places);

interface Found {
  readonly key: number | undefined;
  readonly places: Json;
}

/** The place of a path, or of the longest part of it that exists. */
function walk(places: Json, path: Path): Found {
  let found: Found = { key: undefined, places };
  for (const step of path) {
    const members: Json | undefined = isList(found.places) ? found.places[1] : undefined;
    const next = memberOf(members, step);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function memberOf(members: Json | undefined, step: string | number): Found | undefined {
  if (isList(members)) {
    const item = typeof step === 'number' ? members[step] : undefined;
    return item === undefined ? undefined : { key: undefined, places: item };
  }
  if (!isJsonObject(members) || !Object.hasOwn(members, step)) return undefined;
  const entry = members[step];
  return isList(entry) ? { key: Number(entry[0]), places: entry[1] ?? 0 } : undefined;
}

/** As `parseYaml` gives it; what needs more than places is parsed after all. */
function restore(text: string, file: string, { json, places }: { json: Json; places: Places }): YamlDocument {
  const lines = linesOf(text, file);
  let parsed: YamlDocument | undefined;
  const whole = (): YamlDocument => {
    parsed ??= parseYaml(text, file);
    return parsed;
  };
  const offset = (path: Path): number => offsetOf(walk(places, path).places);
  const keyOffset = (path: Path): number => {
    const found = walk(places, path);
    return found.key ?? offsetOf(found.places);
  };
  return {
    file,
    json,
    problems: [],
    readable: true,
    isChecked: true,
    offset,
    keyOffset,
    position: (path) => lines.position(offset(path)),
    keyPosition: (path) => lines.position(keyOffset(path)),
    positionInside: (path, index) => whole().positionInside(path, index),
    problem: (mistake) => whole().problem(mistake),
  };
}

/** The facts of suites without a mistake, as a build keeps them. */
export const packFacts = ({ cases, digests }: Suites): Json => ({
  digests: { ...digests },
  cases: Object.fromEntries(cases.map((one) => [one.id, [one.exclusive, [...one.requires], [...rulesOf(one)]]])),
});

/** The facts that a build kept; undefined where it kept none, or of other files than those with these digests. */
export function unpackFacts(packed: Json | undefined, digests: Suites['digests']): Facts | undefined {
  if (!isJsonObject(packed)) return undefined;
  const { digests: built, cases } = packed;
  if (!isJsonObject(built) || !isJsonObject(cases)) return undefined;
  if (built['rules'] !== digests.rules || built['suites'] !== digests.suites) return undefined;
  return new Map(Object.entries(cases).flatMap(([id, written]) => (isList(written) ? [[id, factsOf(written)]] : [])));
}

const factsOf = ([exclusive, requires, judges]: readonly Json[]): CaseFacts => ({
  exclusive: exclusive === true,
  requires: textsIn(requires),
  judges: textsIn(judges),
});
