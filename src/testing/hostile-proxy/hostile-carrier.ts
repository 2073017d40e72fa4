import { createCarrier } from '../../carrier/create-carrier.ts';
import { freePort, referenceEnv, referenceRegistrations } from '../../setup/reference.ts';
import { isJsonObject } from '../../lib/json.ts';
import { type HostileProxy, openHostileProxy } from './proxy.ts';

/** The reference carrier behind a hostile proxy, which is its issuer. */
export interface HostileCarrier {
  readonly proxy: HostileProxy;
  /** What the shipped target file reads from the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const sparedPath = /^\/(?:\.well-known\/|jwks)/;

/** `spares` are paths whose answers stay as they are; without it, discovery and keys: with them gone nothing else is asked. */
export async function startHostileCarrier(spares: RegExp = sparedPath): Promise<HostileCarrier> {
  const [port, receiver] = [await freePort(), await freePort()];
  let upstream = '';
  const proxy = await openHostileProxy({ port, upstream: () => upstream, spares: ({ url = '' }) => spares.test(url) });
  const given = referenceRegistrations(`http://127.0.0.1:${receiver}`);
  const registrations = isJsonObject(given) ? { ...given, issuer: proxy.origin } : given;
  const carrier = await createCarrier({
    registrations,
    clock: 'virtual',
    startAt: Date.now(),
    variants: { assertionAudience: 'any' },
  });
  upstream = carrier.origin;
  return {
    proxy,
    env: referenceEnv({ origin: proxy.origin, adminOrigin: carrier.adminOrigin }, registrations, String(receiver)),
    close: async () => {
      await proxy.close();
      await carrier.close();
    },
  };
}
