import { adaptedTo } from '../../prove/across.ts';
import type { DrawnPorts } from '../../prove/space/draw.ts';
import { choicesOf, drawRows } from '../../prove/space/rows.ts';
import type { Row } from '../../lib/covering/domain.ts';
import { freePort } from '../../setup/reference.ts';
import type { Suites } from '../../suite/suites.ts';
import { drawFaults, type FleetFault } from './faults.ts';
import { allFreedoms, marks } from './identity.ts';

/** One carrier of the fleet: conforming, but for its faults by night. */
export interface Member {
  readonly number: number;
  /** As its target file calls it. */
  readonly name: string;
  /** The name of its folders. */
  readonly folder: string;
  readonly choices: Row;
  readonly ports: DrawnPorts;
  /** What it gets wrong in the first night, and in the second. */
  readonly faults: readonly [FleetFault | undefined, FleetFault | undefined];
}

export interface Fleet {
  readonly seed: string;
  readonly members: readonly Member[];
  /** The cases that every carrier gets. */
  readonly cases: readonly string[];
  /** The one whose fault is another in the second night. */
  readonly changed: Member;
}

export interface FleetSize {
  readonly suites: Suites;
  readonly seed: string;
  readonly carriers: number;
  readonly faulty: number;
}

/** What every carrier gets beside the cases that show the faults: callbacks and events, and the ids in them. */
const common = ['approval-brings-tokens', 'denial-is-request-denied', 'callback-bearer', 'another-sim-card'];

const portsOf = async (): Promise<DrawnPorts> => ({
  public: await freePort(),
  admin: await freePort(),
  receiver: await freePort(),
});

/** Ports that no other carrier of the fleet has. */
async function ownPorts(taken: Set<number>): Promise<DrawnPorts> {
  for (;;) {
    const ports = await portsOf();
    const all = Object.values(ports).map(Number);
    if (new Set(all).size < all.length || all.some((port) => taken.has(port))) continue;
    for (const port of all) taken.add(port);
    return ports;
  }
}

/** The fault of a carrier by night: every so many has one, and the first of those another one the night after. */
function faultsAt(
  at: number,
  { carriers, faulty }: FleetSize,
  [other, ...faults]: readonly FleetFault[],
): Member['faults'] {
  const every = Math.floor(carriers / faulty);
  const fault = at % every === every - 1 ? faults[(at + 1) / every - 1] : undefined;
  return [fault, fault !== undefined && fault === faults[0] ? other : fault];
}

/** Draws carriers of the space by the seed. */
export async function drawFleet(size: FleetSize): Promise<Fleet> {
  const { suites, seed, carriers } = size;
  const freedoms = allFreedoms();
  const drawn = drawFaults(suites, seed, size.faulty + 1);
  const { rows } = drawRows(freedoms, { seed, count: carriers });
  const taken = new Set<number>();
  const members: Member[] = [];
  for (const [at, row] of rows.slice(0, carriers).entries()) {
    const faults = faultsAt(at, size, drawn);
    const choices = faults
      .flatMap((one) => one ?? [])
      .reduce((left, one) => adaptedTo(one, left, { suites, freedoms }), choicesOf(row, freedoms));
    const number = at + 1;
    members.push({
      number,
      name: marks.name(number),
      folder: marks.folder(number),
      choices,
      ports: await ownPorts(taken),
      faults,
    });
  }
  const changed = members.find(({ faults: [first, second] }) => first !== second);
  if (changed === undefined) throw new Error('no carrier changes its fault');
  return { seed, members, changed, cases: [...common, ...drawn.flatMap(({ cases }) => cases)] };
}
