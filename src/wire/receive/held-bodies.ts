import type { IncomingMessage } from 'node:http';

/** Bytes of bodies that have not come whole, of all connections together. */
const mostHeld = 16 * 1024 * 1024;

/** Bounds what is kept of bodies while they come. */
export interface HeldBodies {
  /** So many bytes of this request's body are kept by now. */
  readonly hold: (request: IncomingMessage, bytes: number) => void;
  readonly release: (request: IncomingMessage) => void;
}

/** Where too much is kept, the largest body goes with its connection: what a carrier sends is small, and comes at once. */
export function createHeldBodies(most = mostHeld): HeldBodies {
  const held = new Map<IncomingMessage, number>();
  let sum = 0;
  const release = (request: IncomingMessage): void => {
    sum -= held.get(request) ?? 0;
    held.delete(request);
  };
  return {
    hold: (request, bytes) => {
      sum += bytes - (held.get(request) ?? 0);
      held.set(request, bytes);
      if (sum <= most) return;
      const [largest] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one));
      release(largest);
      largest.destroy();
    },
    release,
  };
}
