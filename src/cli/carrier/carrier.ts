import { type RunningCarrier, createCarrier } from '../../carrier/create-carrier.ts';
import type { Policy } from '../../carrier/policy.ts';
import type { Edit } from '../../carrier/seams/edit.ts';
import {
  type ClientRegistration,
  type Registrations,
  type SubscriberRegistration,
  parseRegistrations,
  RegistrationError,
} from '../../carrier/state/registrations.ts';
import { createFile, privateMode } from '../../files/write.ts';
import { omitUndefined } from '../../lib/json.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderClockTime } from '../../report/shared/time.ts';
import { readSimulator } from '../../setup/read-files.ts';
import { referenceTarget, referenceEnv, referenceRegistrations, referenceTargetText } from '../../setup/reference.ts';
import type { SimulatorFile } from '../../setup/simulator/simulator-file.ts';
import type { carrierDefinition } from '../definitions/suite.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { withFlag } from '../shared/files.ts';
import { loadFaults } from '../shared/laboratory.ts';
import { parseUrl, usageError } from '../shared/inputs.ts';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';

const clockDescriptions: Readonly<Record<string, string>> = {
  real: 'real',
  virtual: 'virtual: it stands still until POST {"to": milliseconds} to /clock of the admin API',
};

function describeRegistration({ name, clientId, keys, flags, disabled, secret }: ClientRegistration): string {
  const on = Object.entries(flags).flatMap(([flag, isOn]) => (isOn ? [flag] : []));
  const facts = [
    keys.length === 1 ? '1 key' : `${keys.length} keys`,
    ...(secret === undefined ? [] : ['a secret']),
    ...(disabled ? ['disabled'] : []),
    ...(on.length === 0 ? ['no flags'] : on),
  ];
  return `  ${name.padEnd(12)} ${clientId}  ${facts.join(', ')}`;
}

/** Values for login_hint, by client. */
const subLines = ({ subs }: SubscriberRegistration): readonly string[] =>
  Object.entries(subs).map(([client, sub]) => `    sub for ${client}  ${sub}`);

function describeSubscriber({ name, phone, enrolled, consents }: SubscriberRegistration): string {
  const given = Object.values(consents).filter((scopes) => scopes.length > 0).length;
  const app = enrolled ? '' : ', without the phone app';
  return `  ${name.padEnd(12)} ${phone}  ${given === 0 ? 'has consented to no client' : `consents to ${given} clients`}${app}`;
}

interface CarrierView {
  readonly carrier: Pick<RunningCarrier, 'origin' | 'adminOrigin'>;
  readonly registrations: Registrations;
  readonly settings: { readonly receiver: URL; readonly clock: string; readonly faults: readonly string[] };
  /** Absent with --config: clients and subscribers are the operator's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly target?: string | undefined;
}

/** Command that uses the carrier. A full run needs the virtual clock that the shipped target file declares. */
function commandLines({ settings: { clock }, env, target }: CarrierView): readonly string[] {
  if (target !== undefined) return [`target file        ${target}: carrierspec send --target ${target}`];
  if (clock !== 'virtual' || env === undefined) return [];
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ['to certify it', `  ${words.join(' ')} carrierspec run --target ${referenceTarget}`];
}

function renderCarrier(shown: CarrierView): readonly string[] {
  const { carrier, registrations, settings, env } = shown;
  const { origin, adminOrigin } = carrier;
  const { mccmnc, clients, subscribers } = registrations;
  const { receiver, clock, faults } = settings;
  const [first] = clients;
  const query = new URLSearchParams({ client_id: first?.clientId ?? '', mccmnc });
  return [
    `reference carrier  ${origin}`,
    `discovery          ${origin}/.well-known/openid_configuration?${query.toString()}`,
    `admin API          ${adminOrigin}`,
    `callbacks go below ${receiver.href.replace(/\/$/, '')}`,
    `clock              ${clockDescriptions[clock] ?? clock}`,
    `faults             ${faults.length === 0 ? 'none' : faults.join(', ')}`,
    'clients',
    ...clients.map(describeRegistration),
    'subscribers',
    ...subscribers.flatMap((one) => [describeSubscriber(one), ...(env === undefined ? subLines(one) : [])]),
    ...commandLines(shown),
    'Ctrl-C stops it',
    '',
  ];
}

/** Diagnostics channels of Node and undici: the carrier itself logs no requests. */
const responseChannel = 'http.server.response.finish';
const callbackChannel = 'undici:request:headers';

type ChannelMessage = Readonly<Record<string, unknown>>;

const isChannelMessage = (value: unknown): value is ChannelMessage => typeof value === 'object' && value !== null;

function answeredLine(message: unknown, adminPort: string): string | undefined {
  if (!isChannelMessage(message)) return undefined;
  const { request, response } = message;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return undefined;
  const admin = String(request.socket.localPort) === adminPort ? 'admin ' : '';
  return `${admin}${request.method} ${request.url}  ${response.statusCode}`;
}

/** A callback with the SP's response; undici publishes both in one message. */
function calledLine(message: unknown): string | undefined {
  if (!isChannelMessage(message)) return undefined;
  const { request, response } = message;
  if (!isChannelMessage(request) || !isChannelMessage(response)) return undefined;
  const { origin, path, method } = request;
  return `callback ${String(method)} ${String(origin)}${String(path)}  ${String(response['statusCode'])}`;
}

interface TrafficOptions {
  /** URL of the admin API, whose requests are marked `admin`. */
  readonly admin: string;
  readonly write: (line: string) => void;
}

/** Writes a line for every request and callback until the returned function is called. */
function watchTraffic({ admin, write }: TrafficOptions): () => void {
  const adminPort = new URL(admin).port;
  const print = (line: string | undefined): void => {
    if (line !== undefined) write(line);
  };
  const onAnswered = (message: unknown): void => print(answeredLine(message, adminPort));
  const onCalled = (message: unknown): void => print(calledLine(message));
  subscribe(responseChannel, onAnswered);
  subscribe(callbackChannel, onCalled);
  return () => {
    unsubscribe(responseChannel, onAnswered);
    unsubscribe(callbackChannel, onCalled);
  };
}

/** Defaults of the flags and the simulator file. */
const carrierDefaults = {
  port: 8600,
  adminPort: 8601,
  receiver: 'http://127.0.0.1:8602',
  clock: 'real',
  assertionAudience: 'either',
} as const;

/** Values of `assertionAudience` in a simulator file, and the carrier's own. */
const audiences: Readonly<Record<string, Policy['assertionAudience']>> = {
  either: 'any',
  token_endpoint: 'token-endpoint',
  issuer: 'issuer',
};

type CarrierFlags = CommandInputs<typeof carrierDefinition>;

function explainStart(error: unknown, config: string | undefined): unknown {
  if (error instanceof RegistrationError) return usageError(`${config ?? '--receiver'}: ${error.message}`, error);
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error;
  const flag = '--port or --admin-port';
  if (error.code === 'EADDRINUSE')
    return usageError(`port ${error.port} is in use; choose another with ${flag}`, error);
  if (error.code === 'EACCES')
    return usageError(`port ${error.port} is not allowed; choose another with ${flag}`, error);
  return error;
}

interface StartedCarrier {
  readonly carrier: RunningCarrier;
  readonly registrations: Registrations;
  readonly settings: CarrierSettings;
  /** Environment for the shipped target file; absent with --config. */
  readonly env?: Readonly<Record<string, string>>;
}

interface CarrierSettings {
  readonly ports: { readonly public: number; readonly admin: number };
  readonly clock: 'real' | 'virtual';
  readonly receiver: URL;
  readonly faults: readonly string[];
  readonly variants: Partial<Policy>;
}

function resolveSettings(flags: CarrierFlags, file: SimulatorFile | undefined): CarrierSettings {
  if (file !== undefined && flags.receiver !== undefined) {
    throw usageError('--receiver: with --config, the file says it');
  }
  const { port, adminPort, clock, receiver, assertionAudience, faults = [] } = { ...carrierDefaults, ...file };
  return {
    ports: { public: flags.port ?? port, admin: flags.adminPort ?? adminPort },
    clock: flags.clock ?? clock,
    receiver: flags.receiver ?? parseUrl('--receiver', receiver),
    faults: [...faults, ...flags.faults],
    variants: omitUndefined({ assertionAudience: audiences[assertionAudience] }),
  };
}

async function readSimulatorFile(path: string, env: Invocation['env']): Promise<SimulatorFile> {
  const { carrierFaultNames } = await loadFaults();
  return readSimulator(path, env, new Set(carrierFaultNames()));
}

/** The edit of these faults; undefined, without loading the laboratory, if there are none. */
async function loadAlteration(faults: readonly string[]): Promise<Edit | undefined> {
  if (faults.length === 0) return undefined;
  const { applyFaults, UnknownFaultError } = await loadFaults();
  return (definition) => {
    try {
      return applyFaults(definition, faults);
    } catch (error) {
      throw error instanceof UnknownFaultError ? usageError(`--fault: ${error.message}`, error) : error;
    }
  };
}

type LineWriter = (line: string) => void;

async function startSimulator(
  flags: CarrierFlags,
  env: Invocation['env'],
  { log, tell }: { log: LineWriter; tell: LineWriter },
): Promise<StartedCarrier> {
  const file = flags.config === undefined ? undefined : await readSimulatorFile(flags.config, env);
  const settings = resolveSettings(flags, file);
  const { clock, faults, ports, receiver, variants } = settings;
  const given = file?.registrations ?? referenceRegistrations(receiver.href.replace(/\/$/, ''));
  try {
    const registrations = parseRegistrations(given);
    const simulation = { approvals: file?.approvals ?? [], tell };
    const options = {
      registrations: given,
      clock,
      variants,
      ports,
      log,
      simulation,
      ...omitUndefined({ tls: file?.tls }),
    };
    const carrier = await createCarrier(options, await loadAlteration(faults));
    const shipped = file === undefined ? { env: referenceEnv(carrier, given, receiver.port) } : {};
    return { carrier, registrations, settings, ...shipped };
  } catch (error) {
    throw explainStart(error, flags.config);
  }
}

async function closeOnFailure(carrier: RunningCarrier, work: () => void): Promise<void> {
  try {
    work();
  } catch (error) {
    await carrier.close();
    throw error;
  }
}

/** Writes a target file and its secret for use from another shell. Overwrites nothing. */
function writeTargetFile(path: string, { env, settings: { clock } }: Pick<StartedCarrier, 'env' | 'settings'>): void {
  if (env === undefined)
    throw usageError('--write-target: with --config the clients are yours; carrierspec init makes a file');
  const secretFile = `${basename(path)}.secret`;
  const files = {
    [path]: referenceTargetText({ env, clock, secretFile }),
    [join(dirname(path), secretFile)]: `${env['REFERENCE_SECRET'] ?? ''}\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    withFlag('--write-target', () => createFile(file, text, privateMode));
  }
}

/** `carrierspec carrier`: runs the reference carrier until a signal, then returns 0. Prints only to stderr. */
export async function carrierCommand(flags: CarrierFlags, { stderr, onSignal, env }: Invocation): Promise<number> {
  const log = (line: string): void => void stderr.write(`${forTerminal(line)}\n`);
  const tell = (line: string): void => log(`${renderClockTime(Date.now())}  ${line}`);
  const stopped = new Promise<void>((resolve) => onSignal(resolve));
  const { carrier, ...started } = await startSimulator(flags, env, { log, tell });
  const target = flags.writeTarget;
  if (target !== undefined) await closeOnFailure(carrier, () => writeTargetFile(target, started));
  for (const line of renderCarrier({ carrier, ...started, target })) stderr.write(`${line}\n`);
  const unwatch = watchTraffic({ admin: carrier.adminOrigin, write: tell });
  await stopped;
  stderr.write('\n');
  log('closing');
  unwatch();
  await carrier.close();
  return 0;
}
