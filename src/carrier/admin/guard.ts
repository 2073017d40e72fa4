import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../refusal.ts';

/** A host that no DNS can lead here: an address of this machine, with or without a port. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a browser sent it for a page of another site; curl and programs send neither field. */
function isOfAnotherSite({ host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;
}

/** Refuses what a page in a browser of this machine sends: another host by DNS, another site by its own fields. */
export function guardAdmin(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!ownHost.test(headers.host ?? ''))
      refuse('invalid_request', 'the Host must be an address of this machine', 421);
    if (isOfAnotherSite(headers)) refuse('access_denied', 'pages of other sites are not answered', 403);
    done();
  });
}
