/** Order in which cases begin in place of the planned one: as in the suites, backwards, or drawn by a seed. */
export type CaseOrder = 'listed' | 'reversed' | `shuffled=${string}`;

/** An order as it is asked for: without a seed, one is drawn. */
export type WantedOrder = CaseOrder | 'shuffled';

export const orderNames = ['listed', 'reversed', 'shuffled'] as const;

const shuffled = /^shuffled=[\w.-]{1,64}$/;
const hasSeed = (text: string): text is `shuffled=${string}` => shuffled.test(text);

/** The order that a text names; undefined where it names none. */
export function parseOrder(text: string): WantedOrder | undefined {
  if (text === 'listed' || text === 'reversed' || text === 'shuffled') return text;
  return hasSeed(text) ? text : undefined;
}

export const withSeed = (order: WantedOrder, draw: () => string): CaseOrder =>
  order === 'shuffled' ? `shuffled=${draw()}` : order;
