import { readTextOf } from '../lib/read-file.ts';

/** Certificates in PEM, for the collector. */
export interface CollectorTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Those that the environment names. Throws what `readTextOf` throws. */
export function tlsIn(env: Readonly<Record<string, string | undefined>>): CollectorTls {
  const read = (name: string): string | undefined => {
    const path = env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`];
    return path === undefined || path === '' ? undefined : readTextOf(path, 'credential');
  };
  return { ca: read('CERTIFICATE'), cert: read('CLIENT_CERTIFICATE'), key: read('CLIENT_KEY') };
}
