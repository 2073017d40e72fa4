import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { adminServer } from './admin/server.ts';
import type { Carrier } from './carrier.ts';
import { moveRoutes } from './endpoints/addresses.ts';
import { publicServer } from './endpoints/routes.ts';
import type { TlsCredentials } from './http/server.ts';
import { newHintKey } from './jose/jwe.ts';
import { carrierSigningKey } from './jose/carrier-keys.ts';
import type { CarrierOptions } from './options.ts';
import { simulate } from './simulation/simulate.ts';
import { openAccounts } from './state/accounts.ts';
import { realClock, virtualClock } from './state/clock.ts';
import { openDeliveries } from './http/deliveries.ts';
import type { Edit } from './seams/edit.ts';
import { renameRefusals } from './seams/refusal-codes.ts';
import { parseRegistrations } from './state/registrations.ts';
import { rememberReplays } from './state/records.ts';
import { strictCarrier } from './strict-carrier.ts';

export interface RunningCarrier {
  readonly origin: string;
  readonly adminOrigin: string;
  close(): Promise<void>;
}

/** Starts a reference carrier on two loopback ports; throws RegistrationError before it listens. `alter` changes its definition. */
export async function createCarrier(
  options: CarrierOptions,
  alter: Edit = (definition) => definition,
): Promise<RunningCarrier> {
  const carrier = await buildCarrier(options, alter);
  if (options.simulation !== undefined) carrier.definition = simulate(carrier, options.simulation);
  const outside = publicServer(carrier, { tls: options.tls, habits: options.server });
  const admin = adminServer(carrier);
  const close = async (): Promise<void> => {
    carrier.clock.close();
    await Promise.all([outside.close(), admin.close(), carrier.deliveries.close()]);
  };
  try {
    const origin = await listen(outside, options.ports?.public, options.tls);
    const adminOrigin = await listen(admin, options.ports?.admin);
    carrier.origin = origin;
    if (carrier.issuer === '') carrier.issuer = `${origin}${options.addresses?.base ?? ''}`;
    return { origin, adminOrigin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function buildCarrier(options: CarrierOptions, alter: Edit): Promise<Carrier> {
  const registrations = parseRegistrations(options.registrations);
  const chosen = {
    ...strictCarrier,
    routes: moveRoutes(strictCarrier.routes, options.addresses),
    policy: { ...strictCarrier.policy, ...options.variants },
  };
  const definition = renameRefusals(chosen.policy.refusals)(alter(chosen));
  const log = options.log ?? (() => undefined);
  const clock = options.clock === 'real' ? realClock() : virtualClock(options.startAt ?? Date.now());
  const accounts = openAccounts(registrations, { now: clock.now(), simSwapLag: definition.policy.simSwapLag });
  return {
    definition,
    clock,
    accounts,
    replays: rememberReplays(),
    deliveries: openDeliveries(clock, definition.policy, { log, habits: options.server ?? {} }),
    signingKey: await carrierSigningKey(1, definition.policy),
    retiredKeys: [],
    eventKey:
      definition.policy.eventKeys === 'shared'
        ? undefined
        : await carrierSigningKey(1, { ...definition.policy, carrierKid: 'events1' }, 'events'),
    handles: new Map(),
    hintKey: newHintKey(),
    codes: new Map(),
    refreshTokens: new Map(),
    redeemed: new Map(),
    revoked: new Set(),
    audited: [],
    events: { generated: new Map(), errors: [] },
    mccmnc: registrations.mccmnc,
    ownCodes: registrations.ownCodes,
    otherCarriers: registrations.otherCarriers,
    discoveryUi: registrations.discoveryUi,
    requests: new Map(),
    log,
    origin: '',
    issuer: registrations.issuer ?? '',
  };
}

async function listen(app: FastifyInstance, port = 0, tls?: TlsCredentials): Promise<string> {
  await app.listen({ host: '127.0.0.1', port });
  const address: AddressInfo | string | null = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the carrier did not get a port');
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`;
}
