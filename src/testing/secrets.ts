import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../lib/json.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

/** Private members of the JWKs of a folder; sets of public ones have none. */
export function privateMembersBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const jwk = parseJson(readFileSync(join(folder, name), 'utf8'));
    return privateMembers.flatMap((part) => {
      const value = isJsonObject(jwk) ? jwk[part] : undefined;
      return typeof value === 'string' ? [value] : [];
    });
  });
}

/** The lines of a private key in PEM that hold something of it. */
export const pemLines = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));

/** What is in every file below a folder, at any depth. */
export const textsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** Which secrets stand in a text, and whatever looks like a JWS: tokens and request objects are none of anybody's business. */
export const toldIn = (text: string, secrets: readonly string[]): readonly string[] => [
  ...secrets.filter((secret) => text.includes(secret)),
  ...(text.match(/eyJ[\w-]{6,}\.[\w-]+\.[\w-]+/g) ?? []),
];
