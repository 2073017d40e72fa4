import type { Latency, Target } from './target.ts';
import type { Json } from '../lib/json.ts';

/** Declaration in the target file on a point that the interface leaves open. */
export interface Declaration {
  /** Key in the target file: `latency.callback`, `supports.cancel`. */
  readonly key: string;
  readonly value: Json;
  /** One sentence for people. */
  readonly words: string;
}

/** Latencies in seconds for a target file without them. */
const defaultLatency: Latency = { callback: 30, event: 600, sim_swap: 3600, consent: 60 };

/** The target's timeouts in seconds, if its file has none. */
export const defaultTimeouts = { requestTimeout: 10, deliveryTimeout: 30 };

export const effectiveLatency = ({ latency }: Pick<Target, 'latency'>): Latency => ({ ...defaultLatency, ...latency });

/** Seconds by which a moment on a clock that flows may be off: it goes on during each exchange, and is read before it. */
const flowingMargin = 5;

/** Seconds by which a moment on the carrier's clock may be off; edges are tested that much further away. */
export function clockMargin({ clock }: Pick<Target, 'clock'>): number {
  if (clock?.flows === true) return flowingMargin;
  return [clock?.read, clock?.advance].some((driver) => driver?.names?.unit === 'seconds') ? 1 : 0;
}

/** Ignores underscores, because an attribute may be spelled with or without them. */
const withoutUnderscores = (name: string): string => name.replaceAll('_', '');

/** Whether a list of attributes has one, in either spelling. */
export const hasAttribute = (all: readonly string[], name: string): boolean =>
  all.some((one) => withoutUnderscores(one) === withoutUnderscores(name));

/** Seconds to wait for a delivery: at least `deliveryTimeout`, or the latency of callbacks or events if longer. */
export const deliveryWait = (
  what: string,
  { deliveryTimeout, latency }: Pick<Target, 'deliveryTimeout' | 'latency'>,
): number => {
  const { event: events } = effectiveLatency(latency === undefined ? {} : { latency });
  const declared: Readonly<Record<string, number | undefined>> = { callback: latency?.callback, events };
  return Math.max(deliveryTimeout, declared[what] ?? 0);
};
