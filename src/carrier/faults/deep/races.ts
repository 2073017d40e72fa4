import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { ClientContext } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import { type Edit, raceWindow } from '../edit/define.ts';
import { withPipeline, withRoutes } from '../edit/parts.ts';

/** The key of a request is fetched from elsewhere, which takes a moment in which other requests come; noted before. */
export function whileKeyIsFetched(note: (context: ClientContext) => void): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, async (context: ClientContext) => {
      note(context);
      await sleep(raceWindow);
      return readKey.read(context);
    }),
  }));
}

/** Calls of a route are answered a moment after they came; noted before and after that moment. */
export function whileRouteWaits(
  name: string,
  before: (request: FastifyRequest) => void,
  after: (request: FastifyRequest) => void,
): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    const respond: typeof route.respond = async (carrier, request, reply) => {
      before(request);
      await sleep(raceWindow);
      after(request);
      await route.respond(carrier, request, reply);
    };
    return { [name]: { ...route, respond } };
  });
}

/** Whether something was no longer ago than that moment, in real time. */
export function justNow(at: number | undefined): boolean {
  return at !== undefined && performance.now() - at < raceWindow;
}
