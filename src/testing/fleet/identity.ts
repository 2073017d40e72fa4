import { createHash } from 'node:crypto';
import { drawCarrier, type DrawnCarrier, type DrawnPorts } from '../../prove/space/draw.ts';
import { type Choice, type Freedom, readFreedoms } from '../../prove/space/freedoms.ts';
import type { Row } from '../../lib/covering/domain.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** What no two carriers of the fleet share: name, code, the ids of clients and subscribers, phone numbers. */
export const marks = {
  name: (number: number): string => `Carrier ${two(number)}`,
  folder: (number: number): string => `c${two(number)}`,
  code: (number: number): string => `9990${two(number)}`,
  client: (number: number): string => `fleet${two(number)}.`,
  phone: (number: number): string => `+8881${two(number)}`,
};

let freedoms: readonly Freedom[] | undefined;
export const allFreedoms = (): readonly Freedom[] => (freedoms ??= readFreedoms());

/** The part of the URIs of a carrier's SPs that nobody guesses: the lock of its receiver. */
const drawnPart = (number: number): string => createHash('sha256').update(`fleet ${number}`).digest('hex').slice(0, 32);

const chosenOf = (id: string, choices: Row): Choice | undefined =>
  allFreedoms()
    .find((one) => one.id === id)
    ?.choices.find(({ name }) => name === choices[id]);

/** The URIs that were drawn for it, below its own part. */
function urisOf(number: number, choices: Row) {
  const below = (path: string): string => `/${drawnPart(number)}${path}`;
  const usual = ['/notify/{client}', '/notify/{client}/other'];
  const { notification_uris: uris = usual } = chosenOf('notification-uris', choices)?.setup ?? {};
  const { event_uri: event = '/events/{client}' } = chosenOf('event-uris', choices)?.setup ?? {};
  return { notification_uris: uris.map(below), event_uri: below(event) };
}

/** A freedom of the fleet alone, of which each carrier has another choice; as the last one it wins over the others. */
function identity(number: number, choices: Row): Freedom {
  const choice = {
    name: 'own',
    setup: {
      code: marks.code(number),
      client_ids: { prefix: marks.client(number), length: 14, characters: 'letters' as const },
      phones: marks.phone(number),
      ...urisOf(number, choices),
    },
    target: { carrier: marks.name(number), receiver: { url: { env: 'RECEIVER_URL' }, sources: null } },
    excludes: {},
    warns: {},
  };
  return { id: 'fleet', clause: '1', cites: [], description: 'Who it is.', choices: [choice] };
}

interface Identified {
  readonly number: number;
  readonly choices: Row;
  readonly ports: DrawnPorts;
}

/** A carrier of the fleet, whose target file is as docs/fleet.md has it. */
export function definitionOf({ number, choices, ports }: Identified): DrawnCarrier {
  const drawn = drawCarrier([...allFreedoms(), identity(number, choices)], { ...choices, fleet: 'own' }, ports);
  return { ...drawn, env: { ...drawn.env, RECEIVER_URL: `http://127.0.0.1:${ports.receiver}` } };
}
