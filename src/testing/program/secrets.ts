import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../../lib/json.ts';

const privateMemberNames = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

/** Private members of the JWKs in a folder; public key sets have none. */
export function privateMembersBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const jwk = parseJson(readFileSync(join(folder, name), 'utf8'));
    return privateMemberNames.flatMap((part) => {
      const value = isJsonObject(jwk) ? jwk[part] : undefined;
      return typeof value === 'string' ? [value] : [];
    });
  });
}

/** Lines of a PEM private key that contain key data. */
export const pemLines = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));

/** Texts of every file below a folder, at any depth. */
export const readFilesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** Secrets that a text contains, and anything that looks like a JWS, because tokens and request objects must stay private. */
export const findSecretsIn = (text: string, secrets: readonly string[]): readonly string[] => [
  ...secrets.filter((secret) => text.includes(secret)),
  ...(text.match(/eyJ[\w-]{6,}\.[\w-]+\.[\w-]+/g) ?? []),
];
