import type { Target } from '../../model/target.ts';
import { buildClient } from './keys.ts';

/** A target with one client and one consented subscriber; `parts` override it. */
export function buildTarget(parts: Partial<Target> = {}): Target {
  return {
    name: 'A carrier',
    file: 'carrier.yaml',
    fingerprint: 'sha256:0',
    mccmnc: '001010',
    issuer: 'https://op.carrier.test',
    endpoints: {},
    clients: [buildClient()],
    subscribers: [{ name: 'first', tags: ['consented'], subs: { main: '001010-8f3a1c5e9b7d4e20a6c1' } }],
    supports: {},
    receiver: { host: '127.0.0.1', port: 0, sources: ['127.0.0.1'] },
    drivers: {},
    proof: 'taap',
    requestTimeout: 5,
    deliveryTimeout: 30,
    ...parts,
  };
}
