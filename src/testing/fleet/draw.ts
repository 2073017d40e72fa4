import { adaptedTo } from '../../prove/across.ts';
import { drawCarrier, type DrawnCarrier, type DrawnPorts } from '../../prove/space/draw.ts';
import { type Freedom, readFreedoms } from '../../prove/space/freedoms.ts';
import { choicesOf, drawRows } from '../../prove/space/rows.ts';
import type { Row } from '../../lib/covering/domain.ts';
import { freePort } from '../../setup/reference.ts';
import type { Suites } from '../../suite/suites.ts';
import { drawFaults, type FleetFault } from './faults.ts';

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

const two = (number: number): string => String(number).padStart(2, '0');

/** What no two carriers of the fleet share: name, code, the ids of clients and subscribers, phone numbers. */
export const marks = {
  name: (number: number): string => `Carrier ${two(number)}`,
  code: (number: number): string => `9990${two(number)}`,
  client: (number: number): string => `fleet${two(number)}.`,
  phone: (number: number): string => `+8881${two(number)}`,
};

/** What every carrier gets beside the cases that show the faults: callbacks and events, and the ids in them. */
const common = ['approval-brings-tokens', 'denial-is-request-denied', 'callback-bearer', 'another-sim-card'];

/** A freedom of the fleet alone, of which each carrier has another choice; as the last one it wins over the others. */
function identity(number: number): Freedom {
  const choice = {
    name: 'own',
    setup: {
      code: marks.code(number),
      client_ids: { prefix: marks.client(number), length: 14, characters: 'letters' as const },
      phones: marks.phone(number),
    },
    target: { carrier: marks.name(number) },
    excludes: {},
    warns: {},
  };
  return { id: 'fleet', clause: '1', cites: [], description: 'Who it is.', choices: [choice] };
}

let freedoms: readonly Freedom[] | undefined;
const allFreedoms = (): readonly Freedom[] => (freedoms ??= readFreedoms());

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

/** A carrier with what it needs to have its faults. */
export const definitionOf = ({ number, choices, ports }: Member): DrawnCarrier =>
  drawCarrier([...allFreedoms(), identity(number)], { ...choices, fleet: 'own' }, ports);

/** Draws carriers of the space by the seed; every so many of them has a fault, and the first of those another one the night after. */
export async function drawFleet({ suites, seed, carriers, faulty }: FleetSize): Promise<Fleet> {
  const all = allFreedoms();
  const [other, ...faults] = drawFaults(suites, seed, faulty + 1);
  const { rows } = drawRows(all, { seed, count: carriers });
  const taken = new Set<number>();
  const members: Member[] = [];
  for (const [at, row] of rows.slice(0, carriers).entries()) {
    const every = Math.floor(carriers / faulty);
    const fault = at % every === every - 1 ? faults[(at + 1) / every - 1] : undefined;
    const next = fault === faults[0] && fault !== undefined ? other : fault;
    const adapted = [fault, next]
      .flatMap((one) => one ?? [])
      .reduce((choices, one) => adaptedTo(one, choices, { suites, freedoms: all }), choicesOf(row, all));
    const number = at + 1;
    const ports = await ownPorts(taken);
    members.push({
      number,
      name: marks.name(number),
      folder: `c${two(number)}`,
      choices: adapted,
      ports,
      faults: [fault, next],
    });
  }
  const changed = members.find(({ faults: [first, second] }) => first !== second);
  if (changed === undefined || other === undefined) throw new Error('no carrier changes its fault');
  return { seed, members, changed, cases: [...common, ...[other, ...faults].flatMap(({ cases }) => cases)] };
}
