import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { openAccounts } from './state/accounts.ts';
import { adminDoor } from './admin/server.ts';
import type { Carrier } from './carrier.ts';
import { drivenClock, realClock } from './state/clock.ts';
import { openDeliveries } from './state/deliveries.ts';
import { type CarrierDefinition, strictCarrier } from './definition.ts';
import { applyFaults } from './faults/catalogue.ts';
import { newHintKey } from './jose/jwe.ts';
import { carrierSigningKey } from './jose/jws.ts';
import type { Policy } from './policy.ts';
import type { Certified } from './http/server.ts';
import { publicDoor } from './endpoints/public-server.ts';
import { parseRegistrations } from './state/registrations.ts';
import { rememberReplays } from './state/replays.ts';
import { createShadows } from './trace/differential.ts';
import { simulate, type Simulation } from './simulation/simulate.ts';
import { callers, traceDefinition } from './trace/trace-definition.ts';

/** How the reference carrier is to be. */
export interface CarrierOptions {
  /** JSON as in fixtures/reference/registrations.json, placeholders already replaced. */
  readonly registrations: unknown;
  readonly clock: 'real' | 'driven';
  /** Milliseconds since the epoch at which a driven clock stands; default: now. */
  readonly startAt?: number;
  readonly faults?: readonly string[];
  /** One of src/carrier/variants.ts, taken before the faults. */
  readonly variant?: string;
  /** Other choices the interface leaves to a carrier. */
  readonly variants?: Partial<Policy>;
  /** 0: any free port. */
  readonly ports?: { readonly public?: number; readonly admin?: number };
  readonly log?: (line: string) => void;
  /** Whoever develops an SP against it sees what happens, and subscribers answer by a script. */
  readonly simulation?: Simulation;
  /** Of the public door, in PEM; without it, it speaks plain http. */
  readonly tls?: Certified;
  /** Faults and variants to be asked, at every step, whether they would do the same. */
  readonly shadows?: {
    readonly names: readonly string[];
    /** Told those that would not, and the `x-request-id` of the request they would not have done the same for. */
    readonly onDiffer: (names: readonly string[], caller: string | undefined) => void;
  };
}

export interface RunningCarrier {
  readonly origin: string;
  readonly adminOrigin: string;
  close(): Promise<void>;
}

/** Starts a reference carrier on two loopback ports; throws RegistrationError or UnknownFaultError before it listens. */
export async function createCarrier(options: CarrierOptions): Promise<RunningCarrier> {
  const carrier = await buildCarrier(options);
  if (options.simulation !== undefined) carrier.definition = simulate(carrier, options.simulation);
  const outside = publicDoor(carrier, options.tls);
  const admin = adminDoor(carrier);
  const close = async (): Promise<void> => {
    carrier.clock.close();
    await Promise.all([outside.close(), admin.close(), carrier.deliveries.close()]);
  };
  try {
    const origin = await listen(outside, options.ports?.public, options.tls);
    const adminOrigin = await listen(admin, options.ports?.admin);
    carrier.origin = origin;
    if (carrier.issuer === '') carrier.issuer = origin;
    return { origin, adminOrigin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function watched(definition: CarrierDefinition, shadows: CarrierOptions['shadows']): CarrierDefinition {
  if (shadows === undefined) return definition;
  const { names, onDiffer } = shadows;
  return traceDefinition(definition, createShadows(names), (differing) => onDiffer(differing, callers.getStore()));
}

async function buildCarrier(options: CarrierOptions): Promise<Carrier> {
  const registrations = parseRegistrations(options.registrations);
  const chosen = { ...strictCarrier, policy: { ...strictCarrier.policy, ...options.variants } };
  const definition = watched(
    applyFaults(chosen, [...(options.variant === undefined ? [] : [options.variant]), ...(options.faults ?? [])]),
    options.shadows,
  );
  const log = options.log ?? (() => undefined);
  const clock = options.clock === 'real' ? realClock() : drivenClock(options.startAt ?? Date.now());
  const accounts = openAccounts(registrations, { now: clock.now(), simSwapLag: definition.policy.simSwapLag });
  return {
    definition,
    clock,
    accounts,
    replays: rememberReplays(),
    deliveries: openDeliveries(clock, definition.policy, log),
    signingKey: await carrierSigningKey(),
    retiredKeys: [],
    hintKey: newHintKey(),
    codes: new Map(),
    refreshTokens: new Map(),
    audited: [],
    events: { generated: new Map(), errors: [] },
    mccmnc: registrations.mccmnc,
    otherCarriers: registrations.otherCarriers,
    discoveryUi: registrations.discoveryUi,
    requests: new Map(),
    log,
    origin: '',
    issuer: registrations.issuer ?? '',
  };
}

async function listen(app: FastifyInstance, port = 0, tls?: Certified): Promise<string> {
  await app.listen({ host: '127.0.0.1', port });
  const address: AddressInfo | string | null = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the carrier did not get a port');
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`;
}
