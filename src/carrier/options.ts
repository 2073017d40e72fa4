import type { CarrierOptions } from './create-carrier.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { type Policy, strictPolicy } from './policy.ts';

/** What createCarrier was asked for makes no sense. */
export class OptionError extends Error {
  constructor(message: string) {
    super(`carrier options: ${message}`);
    this.name = 'OptionError';
  }
}

/** Options as they come to a worker thread; throws OptionError. */
export function parseOptions(value: unknown): CarrierOptions {
  if (!isJsonObject(value)) throw new OptionError('must be an object');
  const { clock, startAt, faults } = value;
  if (clock !== 'real' && clock !== 'virtual') throw new OptionError('clock must be real or virtual');
  if (startAt !== undefined && typeof startAt !== 'number') throw new OptionError('startAt must be milliseconds');
  return {
    registrations: value['registrations'],
    clock,
    ...(startAt === undefined ? {} : { startAt }),
    ...(faults === undefined ? {} : { faults: parseNames(faults) }),
    ...(value['variant'] === undefined ? {} : { variant: parseName(value['variant']) }),
    ...(value['variants'] === undefined ? {} : { variants: parseVariants(value['variants']) }),
    ...(value['ports'] === undefined ? {} : { ports: parsePorts(value['ports']) }),
  };
}

function parseName(value: unknown): string {
  if (typeof value !== 'string') throw new OptionError('variant must be a name');
  return value;
}

function parseNames(value: unknown): string[] {
  if (!Array.isArray(value)) throw new OptionError('faults must be a list of names');
  return value.map((name: unknown) => {
    if (typeof name !== 'string') throw new OptionError('faults must be a list of names');
    return name;
  });
}

/** Values of the policy, each of the type it has in the strict policy. */
export function parseVariants(value: unknown): Partial<Policy> {
  if (!isJsonObject(value)) throw new OptionError('variants must be an object');
  const known = new Map<string, unknown>(Object.entries(strictPolicy));
  for (const [name, given] of Object.entries(value)) {
    if (!known.has(name)) throw new OptionError(`there is no policy value ${name}`);
    if (typeof given !== typeof known.get(name)) throw new OptionError(`${name} must be a ${typeof known.get(name)}`);
  }
  const { outside, grantedAs, defaultAcr, proofFormat } = value;
  requireOneOf('outside', outside, ['ignore', 'refuse']);
  requireOneOf('grantedAs', grantedAs, ['number', 'digits']);
  requireOneOf('defaultAcr', defaultAcr, ['a1', 'a3']);
  requireOneOf('proofFormat', proofFormat, ['taap', 'jwt', 'dpop', 'any']);
  return value;
}

function requireOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.some((word) => word === value)) {
    throw new OptionError(`${name} must be ${allowed.join(' or ')}`);
  }
}

function parsePorts(value: unknown): { public?: number; admin?: number } {
  if (!isJsonObject(value)) throw new OptionError('ports must be an object');
  return { ...port(value, 'public'), ...port(value, 'admin') };
}

function port<N extends 'public' | 'admin'>(ports: JsonObject, name: N): { [K in N]?: number } {
  const value = ports[name];
  const found: { [K in N]?: number } = {};
  if (value === undefined) return found;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new OptionError(`ports.${name} must be a number`);
  found[name] = value;
  return found;
}
