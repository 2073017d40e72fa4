import type { EndpointAddresses } from './endpoints/addresses.ts';
import type { ServerHabits } from './http/habits.ts';
import type { TlsCredentials } from './http/server.ts';
import { definedMembers, isJsonObject, type Json } from './json.ts';
import { type Policy, strictPolicy } from './policy.ts';
import type { Simulation } from './simulation/simulate.ts';

export interface CarrierOptions {
  /** JSON in the shape of fixtures/reference/registrations.json, with placeholders replaced. */
  readonly registrations: unknown;
  readonly clock: 'real' | 'virtual';
  /** Start of a virtual clock, in milliseconds since the epoch; default: now. */
  readonly startAt?: number;
  /** Policy values that override the strict ones. */
  readonly variants?: Partial<Policy>;
  /** 0: any free port. */
  readonly ports?: Ports;
  readonly log?: (line: string) => void;
  /** Scripted subscribers, and a report for the SP's developer. */
  readonly simulation?: Simulation;
  readonly server?: ServerHabits;
  readonly addresses?: EndpointAddresses;
  /** Certificate of the public server, in PEM; without it the server speaks plain http. */
  readonly tls?: TlsCredentials;
}

interface Ports {
  readonly public?: number;
  readonly admin?: number;
}

export class OptionError extends Error {
  constructor(message: string) {
    super(`carrier options: ${message}`);
    this.name = 'OptionError';
  }
}

/** Parses the options sent to a worker thread; throws OptionError. */
export function parseOptions(value: unknown): CarrierOptions {
  if (!isJsonObject(value)) throw new OptionError('must be an object');
  const { clock, startAt, variants, ports } = value;
  if (clock !== 'real' && clock !== 'virtual') throw new OptionError('clock must be real or virtual');
  if (startAt !== undefined && typeof startAt !== 'number') throw new OptionError('startAt must be milliseconds');
  return {
    registrations: value['registrations'],
    clock,
    ...definedMembers({
      startAt,
      variants: variants === undefined ? undefined : parseVariants(variants),
      ports: ports === undefined ? undefined : parsePorts(ports),
    }),
  };
}

const policyWords: Readonly<Record<string, readonly string[]>> = {
  outside: ['ignore', 'refuse'],
  grantedAs: ['number', 'digits'],
  defaultAcr: ['a1', 'a3'],
  proofFormat: ['taap', 'jwt', 'dpop', 'any'],
  carrierKey: ['rsa-2048', 'rsa-3072', 'ps256', 'es256', 'es384'],
  accessTokens: ['jwt', 'short', 'long', 'symbols'],
  eventKeys: ['shared', 'own'],
  unknownAttributes: ['absent', 'null'],
  assertionAudience: ['token-endpoint', 'issuer', 'any'],
};

/** Parses policy values, each of its type in the strict policy; throws OptionError. */
export function parseVariants(value: unknown): Partial<Policy> {
  if (!isJsonObject(value)) throw new OptionError('variants must be an object');
  const known = new Map<string, unknown>(Object.entries(strictPolicy));
  for (const [name, given] of Object.entries(value)) {
    if (!known.has(name)) throw new OptionError(`there is no policy value ${name}`);
    if (typeof given !== typeof known.get(name)) throw new OptionError(`${name} must be a ${typeof known.get(name)}`);
  }
  for (const [name, allowed] of Object.entries(policyWords)) requireOneOf(name, value[name], allowed);
  return value;
}

function requireOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.some((word) => word === value)) {
    throw new OptionError(`${name} must be ${allowed.join(' or ')}`);
  }
}

function parsePorts(value: unknown): Ports {
  if (!isJsonObject(value)) throw new OptionError('ports must be an object');
  return definedMembers({ public: parsePort(value['public'], 'public'), admin: parsePort(value['admin'], 'admin') });
}

function parsePort(value: Json | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new OptionError(`ports.${name} must be a number`);
  return value;
}
