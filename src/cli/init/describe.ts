import { join } from 'node:path';
import type { JsonObject } from '../../model/json.ts';
import { discoveryVariable, type InitFile, variableOf } from './file.ts';
import type { Role } from './roles.ts';

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
export function variablesOf({ issuer, clients }: InitFile): readonly string[] {
  return [
    ...(issuer === undefined ? [discoveryVariable] : []),
    ...clients.flatMap(({ name, secret }) => [
      variableOf(name, 'CLIENT_ID'),
      ...(secret ? [variableOf(name, 'SECRET')] : []),
    ]),
  ];
}

/** What was made, what to register with the carrier, and what to do next. */
export function renderInit(made: Made): readonly string[] {
  const target = join(made.dir, 'carrier.yaml');
  return [
    'written',
    ...made.paths.map((path) => `  ${path}`),
    '',
    'register with the carrier',
    ...made.file.clients.flatMap((role) => clientLines(role, made)),
    '',
    'next',
    `  1. in ${target}: subscribers with the pairwise ids of the carrier, drivers, what it does not support`,
    `  2. set ${variablesOf(made.file).join(', ')}`,
    `  3. carrierspec check --target ${target}`,
    `  4. carrierspec preflight --target ${target}`,
    `  5. carrierspec run success-callback-members --target ${target}`,
  ];
}
