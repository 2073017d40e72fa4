import type { CarrierDefinition } from './carrier.ts';
import { faults } from './faults/catalogue.ts';
import type { Variant } from './faults/edit/define.ts';
import { variants } from './variants/catalogue.ts';

const byName = new Map<string, Variant>([...faults, ...variants].map((one) => [one.name, one]));

/** A name that neither a fault nor a variant has. */
export class UnknownFaultError extends Error {
  constructor(name: string) {
    const near = nearNames(name);
    super(`there is no fault ${name}${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`}`);
    this.name = 'UnknownFaultError';
  }
}

/** The definition with these defects, or variants, in the order given; throws UnknownFaultError. */
export function applyFaults(definition: CarrierDefinition, names: readonly string[]): CarrierDefinition {
  return names.reduce((changed, name) => findFault(name).apply(changed), definition);
}

function findFault(name: string): Variant {
  const fault = byName.get(name);
  if (fault === undefined) throw new UnknownFaultError(name);
  return fault;
}

/** At most three names that begin alike or differ by a few letters. */
function nearNames(name: string): string[] {
  const wanted = name.toLowerCase();
  return [...byName.keys()]
    .map((known) => ({ known, distance: known.startsWith(wanted.slice(0, 8)) ? 1 : editDistance(wanted, known) }))
    .filter(({ distance }) => distance <= 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ known }) => known);
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column++) {
      const change = (row[column] ?? 0) + (from[at] === to[column] ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
