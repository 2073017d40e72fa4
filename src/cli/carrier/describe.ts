import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { RunningCarrier } from '../../carrier/create-carrier.ts';
import type { ClientRegistration, Registrations, SubscriberRegistration } from '../../carrier/state/registrations.ts';
import { referenceTarget } from '../../setup/reference.ts';

const clockWords: Readonly<Record<string, string>> = {
  real: 'real',
  virtual: 'virtual: it stands still until POST {"to": milliseconds} to /clock of the admin API',
};

function clientWords({ name, clientId, keys, flags, disabled, secret }: ClientRegistration): string {
  const on = Object.entries(flags).flatMap(([flag, isOn]) => (isOn ? [flag] : []));
  const facts = [
    keys.length === 1 ? '1 key' : `${keys.length} keys`,
    ...(secret === undefined ? [] : ['a secret']),
    ...(disabled ? ['disabled'] : []),
    ...(on.length === 0 ? ['no flags'] : on),
  ];
  return `  ${name.padEnd(12)} ${clientId}  ${facts.join(', ')}`;
}

/** What an SP sends as login_hint, by client. */
const subWords = ({ subs }: SubscriberRegistration): readonly string[] =>
  Object.entries(subs).map(([client, sub]) => `    sub for ${client}  ${sub}`);

function subscriberWords({ name, phone, enrolled, consents }: SubscriberRegistration): string {
  const given = Object.values(consents).filter((scopes) => scopes.length > 0).length;
  const app = enrolled ? '' : ', without the phone app';
  return `  ${name.padEnd(12)} ${phone}  ${given === 0 ? 'has consented to no client' : `consents to ${given} clients`}${app}`;
}

interface Shown {
  readonly carrier: Pick<RunningCarrier, 'origin' | 'adminOrigin'>;
  readonly registrations: Registrations;
  readonly settings: { readonly receiver: URL; readonly clock: string; readonly faults: readonly string[] };
  /** Absent: clients and subscribers are the operator's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly target?: string | undefined;
}

/** The command that certifies the carrier; its clock has to be virtual, as in the target file. */
function commandLines({ settings: { clock }, env, target }: Shown): readonly string[] {
  if (target !== undefined) return [`target file        ${target}: carrierspec send --target ${target}`];
  if (clock !== 'virtual' || env === undefined) return [];
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ['to certify it', `  ${words.join(' ')} carrierspec run --target ${referenceTarget}`];
}

export function renderCarrier(shown: Shown): readonly string[] {
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
    `clock              ${clockWords[clock] ?? clock}`,
    `faults             ${faults.length === 0 ? 'none' : faults.join(', ')}`,
    'clients',
    ...clients.map(clientWords),
    'subscribers',
    ...subscribers.flatMap((one) => [subscriberWords(one), ...(env === undefined ? subWords(one) : [])]),
    ...commandLines(shown),
    'Ctrl-C stops it',
    '',
  ];
}

/** Node's own channels: the carrier itself logs no request. */
const answered = 'http.server.response.finish';
const called = 'undici:request:headers';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function answeredLine(message: unknown, adminPort: string): string | undefined {
  if (!isMembers(message)) return undefined;
  const { request, response } = message;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return undefined;
  const admin = String(request.socket.localPort) === adminPort ? 'admin ' : '';
  return `${admin}${request.method} ${request.url}  ${response.statusCode}`;
}

/** A callback with the response of the SP; undici gives the status beside its request. */
function calledLine(message: unknown): string | undefined {
  if (!isMembers(message)) return undefined;
  const { request, response } = message;
  if (!isMembers(request) || !isMembers(response)) return undefined;
  const { origin, path, method } = request;
  return `callback ${String(method)} ${String(origin)}${String(path)}  ${String(response['statusCode'])}`;
}

interface TrafficOptions {
  /** URL of the admin API; its requests are marked. */
  readonly admin: string;
  readonly write: (line: string) => void;
}

/** Writes a line for every request to the carrier and every callback of it, until the returned function is called. */
export function watchTraffic({ admin, write }: TrafficOptions): () => void {
  const adminPort = new URL(admin).port;
  const print = (line: string | undefined): void => {
    if (line !== undefined) write(line);
  };
  const onAnswered = (message: unknown): void => print(answeredLine(message, adminPort));
  const onCalled = (message: unknown): void => print(calledLine(message));
  subscribe(answered, onAnswered);
  subscribe(called, onCalled);
  return () => {
    unsubscribe(answered, onAnswered);
    unsubscribe(called, onCalled);
  };
}
