import { createCarrier } from '../../carrier/create-carrier.ts';
import { freePort, referenceEnv, referenceRegistrations } from '../../setup/reference.ts';
import { isJsonObject } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import type { Certificates } from './certificates.ts';
import { type HostileProxy, openHostileProxy } from './proxy.ts';
import { openTlsFront, type TlsFront } from './tls-front.ts';

/** The reference carrier behind a hostile proxy, which is its issuer. */
export interface HostileCarrier {
  readonly proxy: HostileProxy;
  /** What speaks TLS in front of the proxy. */
  readonly front: TlsFront | undefined;
  /** What the shipped target file reads from the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const sparedPath = /^\/(?:\.well-known\/|jwks)/;

/** The issuer is the proxy; with certificates, what speaks TLS in front of it. Discovery and keys stay as they are: with them gone nothing else is asked. */
export async function startHostileCarrier(certificates?: Certificates): Promise<HostileCarrier> {
  const [port, receiver] = [await freePort(), await freePort()];
  let upstream = '';
  const front =
    certificates === undefined ? undefined : await openTlsFront({ certificates, port: 0, upstream: () => port });
  const proxy = await openHostileProxy({
    port,
    ...defined({ origin: front?.origin }),
    upstream: () => upstream,
    spares: ({ url = '' }) => sparedPath.test(url),
  });
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
    front,
    env: referenceEnv({ origin: proxy.origin, adminOrigin: carrier.adminOrigin }, registrations, String(receiver)),
    close: async () => {
      await Promise.all([front?.close(), proxy.close(), carrier.close()]);
    },
  };
}
