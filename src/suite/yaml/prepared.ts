import { makeDocument, type Parse, parseYaml } from './document.ts';
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, isList, textsIn } from '../../lib/json.ts';
import { readPacked } from '../../lib/package-file.ts';
import type { CaseFacts, Facts } from '../compile/context.ts';
import { caseRuleIds, type Suites } from '../suites.ts';

const format = 3;

/** A file is the same where its kind and every byte of it are. */
const preparedKey = (kind: string, text: string): string =>
  `${kind} ${createHash('sha256').update(text).digest('base64url')}`;

/** Parses files, and keeps what was parsed: reading YAML is what costs most at the start of every command. */
interface Recorder {
  readonly parse: Parse;
  /** Parsed files and facts, in their form on disk; only if all files were read without a mistake. */
  readonly packed: (facts: Json) => Json;
}

export function recordParsed(): Recorder {
  const documents: Record<string, Json> = {};
  return {
    parse: (text, file, kind) => {
      const document = parseYaml(text, file);
      documents[preparedKey(kind, text)] = [document.json, document.places];
      return document;
    },
    packed: (facts) => ({ format, documents, facts }),
  };
}

export interface PreparedFiles {
  /** Finds what was parsed, and parses the rest. */
  readonly parse: Parse;
  /** Facts about the files. */
  readonly facts: Json | undefined;
}

/** Opens what a recorder kept; a file that is not there, or of another version, holds nothing. */
export function openPrepared(path: string): PreparedFiles {
  // The build has written it: as JSON, and with halves of characters where a suite has them.
  const read = readPacked(path) as Json | undefined;
  const kept = isJsonObject(read) && read['format'] === format ? read : {};
  const { documents, facts } = kept;
  const parse: Parse = (text, file, kind) => {
    const found = isJsonObject(documents) ? documents[preparedKey(kind, text)] : undefined;
    if (!isList(found)) return parseYaml(text, file);
    const [json = null, places = 0] = found;
    return { ...makeDocument(text, file, { json, places, mistakes: [] }), isChecked: true };
  };
  return { parse, facts };
}

/** The facts of suites without a mistake, as a build keeps them. */
export const packFacts = ({ cases, digests }: Suites): Json => ({
  digests: { ...digests },
  cases: Object.fromEntries(cases.map((one) => [one.id, [one.exclusive, [...one.requires], [...caseRuleIds(one)]]])),
});

/** The facts that a build kept; undefined where it kept none, or of other files than those with these digests. */
export function unpackFacts(packed: Json | undefined, digests: Suites['digests']): Facts | undefined {
  if (!isJsonObject(packed)) return undefined;
  const { digests: built, cases } = packed;
  if (!isJsonObject(built) || !isJsonObject(cases)) return undefined;
  if (built['rules'] !== digests.rules || built['suites'] !== digests.suites) return undefined;
  return new Map(Object.entries(cases).flatMap(([id, written]) => (isList(written) ? [[id, toFacts(written)]] : [])));
}

const toFacts = ([exclusive, requires, judges]: readonly Json[]): CaseFacts => ({
  exclusive: exclusive === true,
  requires: textsIn(requires),
  judges: textsIn(judges),
});
