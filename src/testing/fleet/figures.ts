import { cpus } from 'node:os';
import process from 'node:process';
import { countOf } from '../../lib/lists.ts';
import { resultIn } from './apart.ts';
import type { Fleet } from './draw.ts';
import type { Night } from './night.ts';

interface Measured {
  readonly fleet: Fleet;
  readonly nights: readonly (readonly Night[])[];
  /** Of each night. */
  readonly seconds: readonly number[];
  readonly processes: number;
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

interface Sums {
  readonly judged: number;
  readonly exchanges: number;
  readonly deliveries: number;
}

function sumsOf(nights: readonly Night[]): Sums {
  let [judged, exchanges, deliveries] = [0, 0, 0];
  for (const { out } of nights) {
    const { cases, footer } = resultIn(out);
    judged += [...cases].filter(({ verdict }) => verdict !== 'not-applicable').length;
    exchanges += footer?.exchanges ?? 0;
    deliveries += footer?.deliveries ?? 0;
  }
  return { judged, exchanges, deliveries };
}

/** What two nights have cost, in lines. */
export function figuresOf({ fleet, nights, seconds, processes }: Measured): string {
  const lines = nights.map((night, at) => {
    const { judged, exchanges, deliveries } = sumsOf(night);
    const times = night.map((one) => one.seconds).toSorted((one, other) => one - other);
    const bytes = night.reduce((sum, one) => sum + one.bytes, 0);
    const peak = Math.max(...night.map((one) => one.peak));
    return [
      `night ${at + 1}: ${countOf(night.length, 'carrier')}, ${countOf(judged, 'case')}, ${countOf(exchanges, 'exchange')}`,
      `${countOf(deliveries, 'delivery', 'deliveries')}; ${(seconds[at] ?? 0).toFixed(1)} s`,
      `a run ${(times[times.length >> 1] ?? 0).toFixed(1)} s in the middle and ${(times.at(-1) ?? 0).toFixed(1)} s at most`,
      `${mebibytes(peak)} of memory at most; ${mebibytes(bytes)} of results`,
    ].join(', ');
  });
  const machine = `node ${process.version}, ${countOf(cpus().length, 'core')}, ${countOf(processes, 'process', 'processes')} at a time`;
  const faulty = fleet.members.filter(({ faults }) => faults[0] !== undefined).length;
  return `${[`seed ${fleet.seed}: ${countOf(faulty, 'carrier')} with a fault; ${machine}`, ...lines].join('\n')}\n`;
}
