import { roles } from '../../interfaces/server-initiated/registration.ts';
import type { SigningAlg } from '../../model/signing.ts';
import { makeKey } from '../../wire/build/keys.ts';

/** A file to be written; `mode` is what others may do with it. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export const isPrivate = 0o600;
export const isPublic = 0o644;

/** The shortest and the longest kid (§2.2, C1.30): they are those of a client with several keys. */
const kidLengths: readonly number[] = [36, 1];

/** The algorithms of a role where the carrier lists these: one by which all sign, and of several keys one for each. */
function algsOf(role: string, listed: readonly SigningAlg[]): readonly SigningAlg[] {
  const usual = roles[role]?.algs ?? [];
  if (listed.length === 0 || usual.length === 0) return usual;
  const [only] = listed;
  if (usual.length > 1) return listed.length === 1 && only !== undefined ? usual.map(() => only) : listed;
  return usual.every((alg) => listed.includes(alg)) ? usual : listed.slice(0, 1);
}

/** Where the keys of a role are, from the folder of the target file: `keys/two-keys-2.json`. */
export const keyPaths = (role: string, listed: readonly SigningAlg[]): readonly string[] =>
  algsOf(role, listed).map((_, at) => `keys/${role}${at === 0 ? '' : `-${at + 1}`}.json`);

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The keys of a role: each private one in a file of its own, the public ones together; no file where it has none. */
export async function makeKeyFiles(role: string, listed: readonly SigningAlg[]): Promise<readonly NewFile[]> {
  const algs = algsOf(role, listed);
  const keys = await Promise.all(
    algs.map((alg, at) => makeKey(alg, role, algs.length > 1 ? kidLengths[at] : undefined)),
  );
  const files = keyPaths(role, listed).map((path, at) => ({ path, text: json(keys[at]?.privateJwk), mode: isPrivate }));
  const jwks = {
    path: `keys/${role}.jwks.json`,
    text: json({ keys: keys.map((key) => key.publicJwk) }),
    mode: isPublic,
  };
  return files.length === 0 ? [] : [...files, jwks];
}
