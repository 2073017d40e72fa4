import { join, relative, resolve } from 'node:path';
import { clientRoles } from '../../interfaces/server-initiated/registration.ts';
import { makeFolders, makePrivate } from '../../files/folder.ts';
import { isThere } from '../../files/look.ts';
import { createFile, ownPath, privateMode, publicMode } from '../../files/write.ts';
import { countNoun } from '../../lib/lists.ts';
import { readPackageText } from '../../lib/package-file.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { isSigningAlg, type SigningAlg, signingAlgs } from '../../model/signing.ts';
import { targetSchema } from '../../setup/paths.ts';
import { makeKey } from '../../wire/build/keys.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { parseUrl, usageError } from '../shared/inputs.ts';
import type { initDefinition } from '../definitions/certify.ts';
import { renderTemplate } from './template.ts';

/** A file to write, with its permissions. */
interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** Lengths of the longest and shortest kid (§2.2, C1.30), for a client with several keys. */
const kidLengths: readonly number[] = [36, 1];

/** Algorithms for a role's keys: the usual ones if the carrier lists them, else listed ones; several keys cover every listed one. */
function chooseAlgs(role: string, listed: readonly SigningAlg[]): readonly SigningAlg[] {
  const usual = clientRoles[role]?.algs ?? [];
  if (listed.length === 0 || usual.length === 0) return usual;
  const [only] = listed;
  if (usual.length > 1) return listed.length === 1 && only !== undefined ? usual.map(() => only) : listed;
  return usual.every((alg) => listed.includes(alg)) ? usual : listed.slice(0, 1);
}

/** Key paths of a role, relative to the target file: `keys/two-keys-2.json`. */
const keyPaths = (role: string, listed: readonly SigningAlg[]): readonly string[] =>
  chooseAlgs(role, listed).map((_, at) => `keys/${role}${at === 0 ? '' : `-${at + 1}`}.json`);

const formatJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Creates a role's keys: a file per private key and one JWK set; none for a role without keys. */
async function makeKeyFiles(role: string, listed: readonly SigningAlg[]): Promise<readonly NewFile[]> {
  const algs = chooseAlgs(role, listed);
  const keys = await Promise.all(
    algs.map((alg, at) => makeKey(alg, role, algs.length > 1 ? kidLengths[at] : undefined)),
  );
  const files = keyPaths(role, listed).map((path, at) => ({
    path,
    text: formatJson(keys[at]?.privateJwk),
    mode: privateMode,
  }));
  const jwks = {
    path: `keys/${role}.jwks.json`,
    text: formatJson({ keys: keys.map((key) => key.publicJwk) }),
    mode: publicMode,
  };
  return files.length === 0 ? [] : [...files, jwks];
}

function parseIssuer(given: string): string {
  const url = parseUrl('--issuer', given);
  if (url.username === '' && url.password === '') return url.href.replace(/\/$/, '');
  throw usageError('--issuer: a URL with a password does not belong here');
}

function parseAlgs(given: readonly string[]): readonly SigningAlg[] {
  return [...new Set(given)].map((alg) => {
    if (isSigningAlg(alg)) return alg;
    throw usageError(
      `--alg: keys cannot sign by "${alg}"; ${suggestKnown(alg, signingAlgs) ?? signingAlgs.join(', ')}`,
    );
  });
}

/** Copy of the schema beside the target file, if the project has no package to refer to. */
const schemaBeside = 'target.schema.json';

/** Schema path for editors: inside the file's own project, else beside the file. */
export function schemaHint(folder: string, schema = targetSchema): string {
  const project = schema.split('/node_modules/')[0] ?? '';
  const isInside = schema.includes('/node_modules/') && `${folder}/`.startsWith(`${project}/`);
  return isInside ? relative(folder, schema) : schemaBeside;
}

const gitignoreFile: NewFile = {
  path: 'keys/.gitignore',
  text: '# Private keys stay here; public ones may go.\n*\n!.gitignore\n!*.jwks.json\n',
  mode: publicMode,
};

function refuseToOverwrite(folder: string, files: readonly NewFile[]): void {
  const [first, ...others] = files.map(({ path }) => join(folder, path)).filter((path) => isThere(path));
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${countNoun(others.length, 'more file')}`;
  throw usageError(
    `${first}${more}: already there, and nothing is overwritten; name another folder, or go on with that file: carrierspec check --target ${join(folder, 'carrier.yaml')}`,
  );
}

function writeNewFiles(folder: string, files: readonly NewFile[]): void {
  const all = files.map((file) => ({ ...file, path: ownPath(folder, file.path) }));
  makeFolders(join(folder, 'keys'));
  makePrivate(join(folder, 'keys'));
  for (const { path, text, mode } of all) createFile(path, text, mode);
}

/** `carrierspec init [dir]`: a target file to fill in, and a key for each client. */
export async function initCommand(
  { dir, issuer, alg }: CommandInputs<typeof initDefinition>,
  { stdout }: Invocation,
): Promise<number> {
  const folder = resolve(dir);
  const algs = parseAlgs(alg);
  const schema = schemaHint(folder);
  const clients = Object.keys(clientRoles).map((name) => ({ name, keys: keyPaths(name, algs) }));
  const text = renderTemplate({ schema, issuer: issuer === undefined ? undefined : parseIssuer(issuer), clients });
  const keys = await Promise.all(clients.map(({ name }) => makeKeyFiles(name, algs)));
  const beside = schema === schemaBeside ? [{ path: schema, text: readPackageText(targetSchema) }] : [];
  const made = [{ path: 'carrier.yaml', text }, ...beside].map((file) => ({ ...file, mode: publicMode }));
  const files = [...made, ...keys.flat()];
  refuseToOverwrite(folder, files);
  writeNewFiles(folder, isThere(join(folder, gitignoreFile.path)) ? files : [...files, gitignoreFile]);
  const target = join(dir, 'carrier.yaml');
  stdout.write(`${target}: fill in each "<fill in: ...>", and register what it says of clients with the carrier
${join(dir, 'keys')}: a key for each client; the public part to register is in CLIENT.jwks.json

next: carrierspec check --target ${target}
`);
  return 0;
}
