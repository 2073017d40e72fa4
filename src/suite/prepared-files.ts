import { makeDocument, type Parse, parseYaml } from './yaml/document.ts';
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, isList, listStrings } from '../lib/json.ts';
import { readPacked } from '../lib/package-file.ts';
import type { CaseFacts, FactsByCase } from './context.ts';
import { caseRuleIds, type Suites } from './suites.ts';

const preparedFormat = 3;

/** Key of a file: its kind and the digest of its text. */
const preparedKey = (kind: string, text: string): string =>
  `${kind} ${createHash('sha256').update(text).digest('base64url')}`;

/** Parses files and records the results, because parsing YAML is the most expensive part of every command's start. */
interface ParseRecorder {
  readonly parse: Parse;
  /** Parsed files and facts for storage; only valid if all files were read without a mistake. */
  readonly packed: (facts: Json) => Json;
}

export function recordParsed(): ParseRecorder {
  const documents: Record<string, Json> = {};
  return {
    parse: (text, file, kind) => {
      const document = parseYaml(text, file);
      documents[preparedKey(kind, text)] = [document.json, document.places];
      return document;
    },
    packed: (facts) => ({ format: preparedFormat, documents, facts }),
  };
}

export interface PreparedFiles {
  /** Returns the stored document, or parses the text. */
  readonly parse: Parse;
  /** Facts about the files. */
  readonly facts: Json | undefined;
}

/** Opens a recorder's file. A missing file or one of another version counts as empty. */
export function openPrepared(path: string): PreparedFiles {
  // The build wrote it as JSON, with lone surrogates if a suite has them.
  const read = readPacked(path) as Json | undefined;
  const kept = isJsonObject(read) && read['format'] === preparedFormat ? read : {};
  const { documents, facts } = kept;
  const parse: Parse = (text, file, kind) => {
    const found = isJsonObject(documents) ? documents[preparedKey(kind, text)] : undefined;
    if (!isList(found)) return parseYaml(text, file);
    const [json = null, places = 0] = found;
    return { ...makeDocument(text, file, { json, places, mistakes: [] }), isChecked: true };
  };
  return { parse, facts };
}

/** Facts about suites without mistakes, for storage by a build. */
export const packFacts = ({ cases, digests }: Suites): Json => ({
  digests: { ...digests },
  cases: Object.fromEntries(cases.map((one) => [one.id, [one.exclusive, [...one.requires], [...caseRuleIds(one)]]])),
});

/** Facts stored by a build; undefined if there are none, or if they belong to files with other digests. */
export function unpackFacts(packed: Json | undefined, digests: Suites['digests']): FactsByCase | undefined {
  if (!isJsonObject(packed)) return undefined;
  const { digests: built, cases } = packed;
  if (!isJsonObject(built) || !isJsonObject(cases)) return undefined;
  if (built['rules'] !== digests.rules || built['suites'] !== digests.suites) return undefined;
  return new Map(Object.entries(cases).flatMap(([id, written]) => (isList(written) ? [[id, toFacts(written)]] : [])));
}

const toFacts = ([exclusive, requires, judges]: readonly Json[]): CaseFacts => ({
  exclusive: exclusive === true,
  requires: listStrings(requires),
  judges: listStrings(judges),
});
