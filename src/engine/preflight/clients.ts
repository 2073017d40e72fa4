import type { ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, plainText } from '../../lib/json.ts';
import type { Client, Subscriber } from '../../model/target.ts';
import type { Step } from '../../suite/suites.ts';
import { perform } from '../act/verb.ts';
import { type Assignment, type CaseContext, Unmet, type World } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { resolveUri } from '../context/scope.ts';
import { drive } from '../drive/drive.ts';
import { caseOf, position } from './case.ts';
import { type Advice, type Found, type Note, notesOf, ok, problem, skipped } from './note.ts';

const plainName = 'plain';

const plainStep = ({ interface: { validRequest } }: World): Step => ({
  name: plainName,
  position,
  act: validRequest({}),
  times: 1,
  control: false,
  expectations: [],
  record: [],
});

const otherwise =
  'are keys, redirect_uris and notification_uris registered as the file has them, and receiver and mccmnc right?';

function adviceOn(
  { status = 0, noResponse, body }: ResponseObservation,
  { client, subscriber }: Assignment,
  world: World,
): Pick<Advice, 'whose' | 'change'> {
  if (noResponse !== undefined) return { whose: 'network', change: 'see what is said of the endpoints' };
  if (status >= 500) {
    return { whose: 'carrier', change: 'the carrier has to fix it: a valid request is answered with 200' };
  }
  if (status === 404)
    return { whose: 'configuration', change: `is this the endpoint ${world.interface.requestEndpoint}?` };
  const error = isJsonObject(body) ? `${plainText(body['error'])} ${plainText(body['error_description'])}` : '';
  const hint = world.interface.refusalHints.find(({ matches }) => matches.test(error));
  const notificationUri = resolveUri(client.notificationUris[0] ?? '', world.receiver);
  const { issuer } = world.endpoints;
  const asked = { client, subscriber, notificationUri, issuer };
  return { whose: 'configuration', change: hint?.change(asked) ?? otherwise };
}

/** Denies the request that is pending now, where there is a driver for it. */
async function withdraw(ctx: CaseContext, { granted }: ResponseObservation, about: string): Promise<Found> {
  const accepted = 'a plain request is accepted';
  if (ctx.world.target.drivers['deny'] === undefined) {
    const left = granted === undefined ? 'it stays pending' : `it stays pending for ${granted} s`;
    return ok(about, `${accepted}; ${left}, because there is no driver for deny`);
  }
  try {
    const { done, summary } = await drive({ action: 'deny', of: plainName, step: 'deny' }, ctx);
    return ok(about, done ? `${accepted}, and denied again` : `${accepted}; deny: ${summary}`);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const description = `${accepted}, but ${ctx.redactor.text(error.message)}`;
    return problem(about, { whose: 'configuration', description, change: 'fix the driver for deny' });
  }
}

/** What the carrier says; it may repeat what it was sent. */
const whatItSaid = ({ summary, body }: ResponseObservation, ctx: CaseContext): string => {
  const description = isJsonObject(body) ? body['error_description'] : undefined;
  const words = typeof description === 'string' ? `${summary}: ${description}` : summary;
  return ctx.redactor.text(words.slice(0, 300));
};

/** Whatever responds there, it took up no request. */
const withoutId = ({ summary }: ResponseObservation, about: string, { interface: certified }: World): Found =>
  problem(about, {
    whose: 'carrier',
    description: `a plain request is answered without an ${certified.requestId}: ${summary}`,
    change: `an accepted request is answered with a JSON object that has one; is this the endpoint ${certified.requestEndpoint}?`,
  });

async function askOne(assignment: Assignment, order: number, world: World): Promise<Found> {
  const { client } = assignment;
  const about = `client ${client.name}`;
  const plain = plainStep(world);
  const ctx = openContext(world, { case: caseOf(about, client, { steps: [plain] }), assignment, order });
  try {
    const observation = await perform(plain, ctx);
    if (observation.kind !== 'response') throw new TypeError('a valid request has a response');
    ctx.state.traces.set(plain.name, observation);
    ctx.redactor.learnMembers(observation.claims);
    if (observation.outcome !== 'accepted') {
      const description = `a plain request is not accepted: ${whatItSaid(observation, ctx)}`;
      const advice = adviceOn(observation, assignment, world);
      return problem(about, { description, ...advice });
    }
    if (!world.interface.messages.hasRequestId(observation.body)) return withoutId(observation, about, world);
    return await withdraw(ctx, observation, about);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return problem(about, { whose: 'configuration', description: error.message, change: otherwise });
  } finally {
    closeInboxes(ctx);
  }
}

/** Why a plain request of this client is not expected to be accepted. */
export function whyNot(client: Client, { interface: certified }: World): string | undefined {
  if (client.name === 'disabled') return 'it is disabled';
  return client.keys.length === 0 ? 'it has no key' : certified.refuses(client);
}

const isConsented =
  ({ name }: Client) =>
  ({ tags, subs }: Subscriber): boolean =>
    tags.includes('consented') && subs[name] !== undefined;

/** The first client whose plain requests are expected to be accepted, with a subscriber who has consented. */
export function firstToAsk(world: World): Assignment | undefined {
  const { clients, subscribers } = world.target;
  const pairs = clients.flatMap((client): readonly Assignment[] => {
    const subscriber = subscribers.find(isConsented(client));
    return subscriber === undefined || whyNot(client, world) !== undefined
      ? []
      : [{ client, subscriber, second: undefined }];
  });
  return pairs[0];
}

/** One plain request of each client, for a subscriber who has consented; denied where there is a driver for deny. */
export async function checkClients(world: World): Promise<readonly Note[]> {
  const { clients, subscribers } = world.target;
  const found: Found[] = [];
  for (const [order, client] of clients.entries()) {
    const about = `client ${client.name}`;
    const skip = whyNot(client, world);
    const subscriber = subscribers.find(isConsented(client));
    if (skip !== undefined) found.push(skipped(about, `not asked: ${skip}`));
    else if (subscriber === undefined) {
      const description = 'there is no subscriber with the tag consented and a sub for it';
      const change = `name one under "subscribers", with "subs: { ${client.name} }"`;
      found.push(problem(about, { whose: 'configuration', description, change }));
    } else found.push(await askOne({ client, subscriber, second: undefined }, order, world));
  }
  return notesOf('clients', found);
}
