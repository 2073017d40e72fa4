import { makeFolders } from '../../files/folder.ts';
import { ownPath, replaceFile } from '../../files/write.ts';
import { readPackageText } from '../../lib/package-file.ts';
import { dirname, join } from 'node:path';
import { parseVariants } from '../../carrier/options.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { referenceEnv, referenceRegistrations, referenceTarget, findFreePort } from '../../setup/reference.ts';
import { parseYaml, writeYaml } from '../../suite/yaml/document.ts';
import { type AlteredCarrierOptions, createAlteredCarrier } from '../reference/altered-carrier.ts';
import { readFreedoms } from './freedoms.ts';
import type { FreedomChoice, Freedom, CarrierSetup } from './freedoms-grammar.ts';
import { applySetup } from './setup.ts';

/** Free ports of this machine; registrations and published URLs name them. */
interface DrawnPorts {
  readonly public: number;
  readonly admin: number;
  readonly receiver: number;
}

/** Conforming carrier and its target file. */
export interface DrawnCarrier {
  readonly options: Omit<AlteredCarrierOptions, 'clock' | 'startAt' | 'log' | 'simulation' | 'differential' | 'tls'>;
  readonly target: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files that the target file names, by their path from its folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** Name of a choice by the id of its freedom; a freedom not named has its plain choice. */
export type DrawnChoices = Readonly<Record<string, string>>;

function findChoices(freedoms: readonly Freedom[], choices: DrawnChoices): readonly FreedomChoice[] {
  const unknown = Object.keys(choices).find((id) => !freedoms.some((one) => one.id === id));
  if (unknown !== undefined) throw new Error(`there is no freedom ${unknown}`);
  return freedoms.flatMap(({ id, choices: all }) => {
    const name = choices[id];
    if (name === undefined) return [];
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`the freedom ${id} has no choice ${name}`);
    return [found];
  });
}

/** Merges a patch into an object, recursively; null takes a member out. */
function applyPatch(given: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(given));
  for (const [name, value] of Object.entries(patch)) {
    const old = result.get(name);
    if (value === null) result.delete(name);
    else result.set(name, isJsonObject(value) && isJsonObject(old) ? applyPatch(old, value) : value);
  }
  return Object.fromEntries(result);
}

const mergeObjects = (parts: readonly (JsonObject | undefined)[]): JsonObject =>
  parts.reduce<JsonObject>((all, one) => applyPatch(all, one ?? {}), {});

/** Merged setups of all choices; lists of missing attributes are joined. */
function mergeSetups(chosen: readonly FreedomChoice[]): CarrierSetup {
  const setups = chosen.flatMap(({ setup }) => setup ?? []);
  const without = setups.flatMap(({ without_attributes: one }) => one ?? []);
  return Object.assign({}, ...setups, without.length === 0 ? {} : { without_attributes: without }) as CarrierSetup;
}

let cachedTarget: JsonObject | undefined;

function baseTarget(): JsonObject {
  const { json } =
    cachedTarget === undefined ? parseYaml(readPackageText(referenceTarget), referenceTarget) : { json: cachedTarget };
  if (!isJsonObject(json)) throw new Error('the target file of the reference carrier is no mapping');
  cachedTarget = json;
  return json;
}

/** Attributes of §2.3 and §2.11 that a carrier has by default. */
const defaultAttributes = ['name', 'email', 'phone', 'address', 'postal_code', 'birthdate', 'picture', 'last_4_social'];
const derivedAttributes = ['is_adult_18', 'is_adult_21', 'is_over_13', 'sim_tenure_24'];

/** Entries of the target file that follow from the setup. */
function setupEntries(
  { base: path, discovery_host: host, without_attributes: without }: CarrierSetup,
  origin: string,
): JsonObject {
  const all = [...defaultAttributes, ...derivedAttributes];
  const asked = host === undefined ? origin : origin.replace('127.0.0.1', host);
  return {
    ...(path === undefined && host === undefined ? {} : { discovery: `${asked}${path ?? ''}` }),
    ...(host === undefined ? {} : { origins: [origin] }),
    ...(without === undefined ? {} : { attributes: all.filter((name) => !without.includes(name)) }),
  };
}

/** Makes the carrier of these choices; the same choices and ports make the same carrier. */
export function drawCarrier(freedoms: readonly Freedom[], choices: DrawnChoices, ports: DrawnPorts): DrawnCarrier {
  const chosen = findChoices(freedoms, choices);
  const setup = mergeSetups(chosen);
  const origin = `http://127.0.0.1:${ports.public}`;
  const receiver = `http://127.0.0.1:${ports.receiver}`;
  const registrations = referenceRegistrations(receiver);
  const plain = { registrations: isJsonObject(registrations) ? registrations : {}, target: baseTarget(), files: {} };
  const drawn = applySetup(plain, setup, receiver);
  const policy = mergeObjects([
    ...chosen.map(({ policy: one }) => one),
    setup.without_attributes === undefined ? undefined : { withoutAttributes: setup.without_attributes.join(' ') },
  ]);
  const target = mergeObjects([drawn.target, setupEntries(setup, origin), ...chosen.map(({ target: one }) => one)]);
  const running = { origin, adminOrigin: `http://127.0.0.1:${ports.admin}` };
  return {
    options: {
      registrations: drawn.registrations,
      variants: parseVariants(policy),
      faults: chosen.flatMap(({ variants = [] }) => variants),
      server: Object.assign({}, ...chosen.map(({ server }) => server ?? {})) as NonNullable<
        AlteredCarrierOptions['server']
      >,
      addresses: carrierAddresses(setup),
      ports: { public: ports.public, admin: ports.admin },
    },
    target: writeYaml(target).replaceAll('{origin}', origin),
    env: referenceEnv(running, drawn.registrations, String(ports.receiver)),
    files: drawn.files,
  };
}

const routeNames: Readonly<Record<string, string>> = {
  server_initiated: 'serverInitiated',
  authorization: 'signIn',
  token: 'token',
  userinfo: 'userinfo',
  jwks: 'keySet',
  cancel: 'cancel',
  discovery_ui: 'discoveryUi',
};

function carrierAddresses({ base: path, paths = {} }: CarrierSetup): NonNullable<AlteredCarrierOptions['addresses']> {
  const moved = Object.entries(paths).flatMap(([name, one]) =>
    one === undefined ? [] : [[routeNames[name] ?? name, one]],
  );
  return { ...(path === undefined ? {} : { base: path }), paths: Object.fromEntries(moved) as Record<string, string> };
}

/** Writes the target file of a drawn carrier, and the files that it names; returns its path. */
export function writeDrawnCarrier({ target, files }: DrawnCarrier, folder: string): string {
  for (const [path, text] of Object.entries({ ...files, 'carrier.yaml': target })) {
    const file = ownPath(folder, path);
    makeFolders(dirname(file));
    replaceFile(file, [text]);
  }
  return join(folder, 'carrier.yaml');
}

interface ServedCarrier {
  readonly origin: string;
  readonly target: string;
  /** File of the environment that the target file reads, as lines for a shell. */
  readonly env: string;
  readonly close: () => Promise<void>;
}

const shellVariable = ([name, value]: readonly [string, string]): string => `${name}='${value}'`;

/** Starts a drawn carrier on a virtual clock; writes its target file, environment, registrations and choices to `folder`. */
export async function serveDrawnCarrier(choices: DrawnChoices, folder: string): Promise<ServedCarrier> {
  const ports = { public: await findFreePort(), admin: await findFreePort(), receiver: await findFreePort() };
  const drawn = drawCarrier(readFreedoms(), choices, ports);
  const target = writeDrawnCarrier(drawn, folder);
  const json = { 'registrations.json': drawn.options.registrations, 'choices.json': choices };
  for (const [name, value] of Object.entries(json)) {
    replaceFile(join(folder, name), [`${JSON.stringify(value, null, 2)}\n`]);
  }
  const env = join(folder, 'carrier.env');
  replaceFile(env, [`${Object.entries(drawn.env).map(shellVariable).join('\n')}\n`]);
  const carrier = await createAlteredCarrier({ ...drawn.options, clock: 'virtual' });
  return { origin: carrier.origin, target, env, close: () => carrier.close() };
}
