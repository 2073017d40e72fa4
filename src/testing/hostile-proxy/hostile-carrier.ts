import { createCarrier } from '../../carrier/create-carrier.ts';
import { isJsonObject, omitUndefined } from '../../lib/json.ts';
import { findFreePort, referenceEnv, referenceRegistrations } from '../../setup/reference.ts';
import type { Certificates } from './certificates.ts';
import { type HostileProxy, openHostileProxy } from './proxy.ts';
import { openTlsFront, type TlsFront } from './tls-front.ts';

/** The reference carrier behind a hostile proxy, which is its issuer. */
interface HostileCarrier {
  readonly proxy: HostileProxy;
  /** TLS server in front of the proxy. */
  readonly front: TlsFront | undefined;
  /** Environment of the shipped target file. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const sparedPath = /^\/(?:\.well-known\/|jwks)/;

interface HostileOptions {
  /** If given, a TLS server stands in front of the proxy and is the issuer. */
  readonly certificates?: Certificates | undefined;
  readonly clock?: 'virtual' | 'real';
  /** Milliseconds by which a virtual clock starts ahead of ours. */
  readonly ahead?: number;
  /** Paths that the proxy does not alter; by default discovery and keys, because without them nothing else is requested. */
  readonly spared?: RegExp;
}

/** Starts the carrier; its issuer is the proxy, or the TLS server in front of it. */
export async function startHostileCarrier(options: HostileOptions = {}): Promise<HostileCarrier> {
  const { certificates, clock = 'virtual', ahead = 0, spared = sparedPath } = options;
  const [port, receiver] = [await findFreePort(), await findFreePort()];
  let upstream = '';
  const front =
    certificates === undefined ? undefined : await openTlsFront({ certificates, port: 0, upstream: () => port });
  const proxy = await openHostileProxy({
    port,
    ...omitUndefined({ origin: front?.origin }),
    upstream: () => upstream,
    spares: ({ url = '' }) => spared.test(url),
  });
  const given = referenceRegistrations(`http://127.0.0.1:${receiver}`);
  const registrations = isJsonObject(given) ? { ...given, issuer: proxy.origin } : given;
  const carrier = await createCarrier({
    registrations,
    clock,
    startAt: Date.now() + ahead,
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
