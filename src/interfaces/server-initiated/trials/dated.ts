import type { RunnableInterface } from '../../../engine/context/case-context.ts';
import { ask, type Claims, isAccepted } from './features.ts';

/** Seconds; the last that a carrier has to accept, with a little for the way to it (§2.3 iat and exp: 5 minutes). */
const oldest = 295;
const farthest = 290;
const life = 240;
/** What is accepted is not to wait on a phone for long. */
const shortLife = 60;

const edges: Readonly<Record<'past' | 'future', (time: number) => Claims>> = {
  past: (time) => ({ iat: time - oldest, exp: time + life }),
  future: (time) => ({ iat: time, exp: time + farthest }),
};

/** By one request, which is denied again where there is a driver for that. */
export const isFreshAt: NonNullable<RunnableInterface['isFreshAt']> = async (time, edge, ctx) =>
  isAccepted(await ask(`clock-${time}`, { ...edges[edge](time), expires_in: shortLife }, ctx));
