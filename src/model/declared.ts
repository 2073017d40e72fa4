import type { Latency, Target } from './target.ts';
import type { Json } from '../lib/json.ts';

/** Something that the interface leaves open, as the target file declares it. */
export interface Declaration {
  /** The key of the target file: `latency.callback`, `supports.cancel`. */
  readonly key: string;
  readonly value: Json;
  /** One sentence of it, for people. */
  readonly words: string;
}

/** Seconds that a carrier may take where its target file does not say. */
export const defaultLatency: Latency = { callback: 30, event: 600, sim_swap: 3600, consent: 60 };

/** Seconds of the target's own times where its file does not say. */
export const defaultTimes = { requestTimeout: 10, deliveryTimeout: 30 };

/** How long this carrier may take. */
export const effectiveLatency = ({ latency }: Pick<Target, 'latency'>): Latency => ({ ...defaultLatency, ...latency });

/** Two spellings of one attribute: with and without low lines. */
const plain = (name: string): string => name.replaceAll('_', '');

/** Whether a list of attributes has one, in either spelling. */
export const hasAttribute = (all: readonly string[], name: string): boolean =>
  all.some((one) => plain(one) === plain(name));

/** Seconds that a delivery is awaited for: a callback should come at once, events in their latency. */
export const usualWait = (
  what: string,
  { deliveryTimeout, latency }: Pick<Target, 'deliveryTimeout' | 'latency'>,
): number => {
  const { event: events } = effectiveLatency(latency === undefined ? {} : { latency });
  const declared: Readonly<Record<string, number | undefined>> = { callback: latency?.callback, events };
  return Math.max(deliveryTimeout, declared[what] ?? 0);
};
