import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { roles } from '../../interfaces/server-initiated/registration.ts';
import { whyNot } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { suggestion } from '../../lib/suggest.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { isSigningAlg, type SigningAlg, signingAlgs } from '../../model/signing.ts';
import { targetSchema } from '../../setup/paths.ts';
import { makeKey } from '../../wire/build/keys.ts';
import type { Given } from '../shared/command.ts';
import { makeFolders } from '../shared/files.ts';
import { parseUrl, usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import type { initDefinition } from './define.ts';
import { discoveryVariable, type InitFile, keyFilesOf, type Role, renderInitFile, roleOf, variableOf } from './file.ts';

interface Made {
  readonly file: InitFile;
  /** Public keys by role. */
  readonly jwks: ReadonlyMap<string, JsonObject>;
  readonly paths: readonly string[];
  readonly dir: string;
}

/** What the carrier has to know of one client. */
function clientLines(role: Role, { file, jwks }: Made): readonly string[] {
  const receiver = file.receiver.href.replace(/\/$/, '');
  const fact = (label: string, values: readonly string[]): readonly string[] =>
    values.map((value, at) => `  ${(at === 0 ? label : '').padEnd(19)}${value}`);
  const keys = jwks.get(role.name) ?? {};
  const hasKeys = role.keys.length > 0;
  return [
    '',
    `client ${role.name}`,
    ...fact('redirect URIs', role.redirectUris),
    ...fact(
      'notification URIs',
      role.notificationUris.map((path) => `${receiver}${path}`),
    ),
    ...fact('event endpoint', role.eventUri === undefined ? [] : [`${receiver}${role.eventUri}`]),
    ...fact('scopes', [role.scopes.join(' ')]),
    ...fact('flags that are on', [role.flags.length === 0 ? 'none' : role.flags.join(', ')]),
    ...(role.name === 'disabled' ? ['  the carrier has to disable it, after it is registered'] : []),
    ...(hasKeys
      ? [
          '  public keys (JWKS)',
          ...JSON.stringify(keys, undefined, 2)
            .split('\n')
            .map((line) => `  ${line}`),
        ]
      : []),
    ...(role.secret ? ['  no key: the carrier gives it a client secret'] : []),
  ];
}

/** Variables the written file reads. */
function variablesOf({ issuer, clients }: InitFile): readonly string[] {
  return [
    ...(issuer === undefined ? [discoveryVariable] : []),
    ...clients.flatMap(({ name, secret }) => [
      variableOf(name, 'CLIENT_ID'),
      ...(secret ? [variableOf(name, 'SECRET')] : []),
    ]),
  ];
}

/** What was made, what to register with the carrier, and what to do next. */
function renderInit(made: Made): readonly string[] {
  const target = join(made.dir, 'carrier.yaml');
  return [
    'written',
    ...made.paths.map((path) => `  ${path}`),
    '',
    'register with the carrier',
    ...made.file.clients.flatMap((role) => clientLines(role, made)),
    '',
    'subscribers with the tag consented must not have consented to birthdate: a case sees the phone ask for it',
    '',
    'next',
    `  1. in ${target}: subscribers with the pairwise ids of the carrier, drivers, what it does not support`,
    `  2. set ${variablesOf(made.file).join(', ')}`,
    `  3. carrierspec check --target ${target}`,
    `  4. carrierspec check --preflight --target ${target}`,
    `  5. carrierspec run success-callback-members --target ${target}`,
  ];
}

type InitFlags = Given<typeof initDefinition>;

function parseRoles(given: readonly string[]): readonly string[] {
  for (const name of given) {
    if (Object.hasOwn(roles, name)) continue;
    throw usageError(`--client: there is no role "${name}"; ${suggestion(name, Object.keys(roles)) ?? ''}`);
  }
  return given.length === 0 ? ['main'] : [...new Set(given)];
}

function parseBareUrl(flag: string, given: string): URL {
  const url = parseUrl(flag, given);
  if (url.username === '' && url.password === '') return url;
  throw usageError(`${flag}: a URL with a password does not belong here`);
}

function requireCode(flag: string, code: string): void {
  if (!/^\d{5,6}$/.test(code)) throw usageError(`${flag}: "${code}" is no carrier code of 5 or 6 digits`);
}

function parseAlgs(given: readonly string[]): readonly SigningAlg[] {
  return [...new Set(given)].map((alg) => {
    if (isSigningAlg(alg)) return alg;
    throw usageError(`--alg: keys cannot sign by "${alg}"; ${suggestion(alg, signingAlgs) ?? signingAlgs.join(', ')}`);
  });
}

/** The schema of a target file beside it, where no package of its project has one. */
const schemaBeside = 'target.schema.json';

/**
 * The path by which an editor finds the schema of a target file: in the package, where that belongs to the project that the file is
 * in; else beside the file, since the path of a package of this machine means nothing on another.
 */
export function schemaHint(folder: string, schema = targetSchema): string {
  const project = schema.split('/node_modules/')[0] ?? '';
  const isInside = schema.includes('/node_modules/') && `${folder}/`.startsWith(`${project}/`);
  return isInside ? relative(folder, schema) : schemaBeside;
}

function parseFile(folder: string, flags: InitFlags, algs: readonly SigningAlg[]): InitFile {
  requireCode('--mccmnc', flags.mccmnc);
  for (const code of flags.foreign) requireCode('--foreign', code);
  return {
    schema: schemaHint(folder),
    carrier: flags.carrier,
    mccmnc: flags.mccmnc,
    issuer: flags.issuer === undefined ? undefined : parseBareUrl('--issuer', flags.issuer).href.replace(/\/$/, ''),
    receiver: parseBareUrl('--receiver', flags.receiver),
    foreign: flags.foreign,
    clients: parseRoles(flags.client).map((role) => roleOf(role, algs)),
  };
}

/** A file to be written; `mode` is what others may do with it. */
interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

const isPrivate = 0o600;
const isPublic = 0o644;

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The keys of a role: each private one in a file of its own, the public ones together. */
async function keyFiles(
  role: string,
  algs: readonly SigningAlg[],
): Promise<{ readonly files: readonly NewFile[]; readonly jwks: JsonObject }> {
  const made = await Promise.all(
    keyFilesOf(role, algs).map(async ({ path, alg, kidLength }) => ({
      path,
      key: await makeKey(alg, role, kidLength),
    })),
  );
  const jwks = { keys: made.map(({ key }) => key.publicJwk) };
  const files = made.map(({ path, key }) => ({ path, text: json(key.privateJwk), mode: isPrivate }));
  if (files.length === 0) return { files, jwks };
  return { files: [...files, { path: `keys/${role}.jwks.json`, text: json(jwks), mode: isPublic }], jwks };
}

function filesOf(role: string, algs: readonly SigningAlg[]): readonly string[] {
  const files = keyFilesOf(role, algs).map(({ path }) => path);
  return files.length === 0 ? files : [...files, `keys/${role}.jwks.json`];
}

const ignored = '# Private keys stay here; public ones may go.\n*\n!.gitignore\n!*.jwks.json\n';

function refuseToOverwrite(folder: string, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(join(folder, path)));
  if (there.length === 0) return;
  throw usageError(
    `${there.map((path) => join(folder, path)).join(', ')}: already there, and nothing is overwritten; name another folder, or go on with that file: carrierspec check --target ${join(folder, 'carrier.yaml')}`,
  );
}

function writeAll(folder: string, files: readonly NewFile[]): void {
  try {
    makeFolders(join(folder, 'keys'));
    chmodSync(join(folder, 'keys'), 0o700);
    for (const { path, text, mode } of files) writeFileSync(join(folder, path), text, { mode, flag: 'wx' });
  } catch (cause) {
    const message = `${folder} cannot be written to: ${whyNot('write', cause)}`;
    throw new CarrierspecError(message, { code: 'file-unwritable', cause });
  }
}

/** `carrierspec init [dir]`: a target file to fill in, keys, and what to register with the carrier. */
export async function initCommand(flags: InitFlags, { stdout }: Invocation): Promise<number> {
  const { dir } = flags;
  const folder = resolve(dir);
  const algs = parseAlgs(flags.alg);
  const file = parseFile(folder, flags, algs);
  const roles = file.clients.map(({ name }) => name);
  const beside = file.schema === schemaBeside ? [schemaBeside] : [];
  refuseToOverwrite(folder, ['carrier.yaml', ...beside, ...roles.flatMap((role) => filesOf(role, algs))]);
  const made = await Promise.all(roles.map(async (role) => [role, await keyFiles(role, algs)] as const));
  const ignore = existsSync(join(folder, 'keys/.gitignore'))
    ? []
    : [{ path: 'keys/.gitignore', text: ignored, mode: isPublic }];
  const keys = made.flatMap(([, { files }]) => files);
  const target = { path: 'carrier.yaml', text: renderInitFile(file), mode: isPublic };
  const schema = beside.map((path) => ({ path, text: readFileSync(targetSchema, 'utf8'), mode: isPublic }));
  writeAll(folder, [target, ...schema, ...ignore, ...keys]);
  const jwks = new Map(made.map(([role, one]) => [role, one.jwks]));
  const paths = ['carrier.yaml', ...beside, ...keys.map(({ path }) => path)].map((path) => join(dir, path));
  for (const line of renderInit({ file, jwks, paths, dir })) stdout.write(`${line}\n`);
  return 0;
}
