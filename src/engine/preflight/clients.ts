import type { ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, plainText } from '../../lib/json.ts';
import type { Position } from '../../model/position.ts';
import type { Client, Subscriber } from '../../model/target.ts';
import { authorize } from '../act/authorize.ts';
import { type Assignment, type CaseContext, Unmet, type World } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext } from '../context/open-context.ts';
import { resolveUri } from '../context/scope.ts';
import { drive } from '../drive/drive.ts';
import { type Advice, type Found, type Note, notesOf, ok, problem, skipped } from './note.ts';
import type { Case, Step } from '../../suite/suites.ts';

const position: Position = { file: 'preflight', line: 1, column: 1 };

const plain: Step = {
  name: 'plain',
  position,
  act: { verb: 'authorize', difference: {} },
  times: 1,
  control: false,
  expectations: [],
  record: [],
};

const caseOf = (client: Client): Case => ({
  id: `preflight ${client.name}`,
  title: 'A plain request is accepted',
  suite: 'preflight',
  area: 'preflight',
  position,
  rules: [],
  client: client.name,
  subscriber: 'consented',
  exclusive: false,
  requires: [],
  receiver: [],
  detects: [],
  each: [],
  steps: [plain],
});

interface Asked {
  readonly client: Client;
  readonly subscriber: Subscriber;
  /** The receiver's public URL. */
  readonly receiver: string;
}

interface Hint {
  readonly matches: RegExp;
  readonly change: (asked: Asked) => string;
}

/** By the error of the refusal and its description: what the registration and the file may not agree on. */
const hints: readonly Hint[] = [
  {
    matches: /notification_uri/,
    change: ({ client, receiver }) => `is ${resolveUri(client.notificationUris[0] ?? '', receiver)} registered?`,
  },
  { matches: /redirect_uri/, change: ({ client }) => `is ${client.redirectUris[0] ?? 'a redirect_uri'} registered?` },
  {
    matches: /invalid_client|unauthorized_client|request_object|signature|\bkid\b/,
    change: ({ client }) =>
      `are client_id and the public key of kid ${client.keys[0]?.kid ?? ''} registered, and is server-initiated access on?`,
  },
  { matches: /scope/, change: () => 'are the scopes openid and name allowed to this SP?' },
  {
    matches: /login_hint|unknown_user|user_id|access_denied|consent|interaction_required|login_required/,
    change: ({ client, subscriber }) =>
      `is "subs: { ${client.name} }" of subscriber ${subscriber.name} the carrier’s pairwise id, has the subscriber the app, and consented to this SP?`,
  },
];

const otherwise =
  'are keys, redirect_uris and notification_uris registered as the file has them, and receiver and mccmnc right?';

function adviceOn(
  { status = 0, noResponse, body }: ResponseObservation,
  asked: Asked,
): Pick<Advice, 'whose' | 'change'> {
  if (noResponse !== undefined) return { whose: 'network', change: 'see what is said of the endpoints' };
  if (status >= 500) {
    return { whose: 'carrier', change: 'the carrier has to fix it: a valid request is answered with 200' };
  }
  if (status === 404) return { whose: 'configuration', change: 'is this the server-initiated endpoint (§4.1)?' };
  const error = isJsonObject(body) ? `${plainText(body['error'])} ${plainText(body['error_description'])}` : '';
  const hint = hints.find(({ matches }) => matches.test(error));
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
    const { done, summary } = await drive({ action: 'deny', of: plain.name, step: 'deny' }, ctx);
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

/** §4.1: whatever responds there, it took up no request. */
const withoutId = ({ summary }: ResponseObservation, about: string): Found =>
  problem(about, {
    whose: 'carrier',
    description: `a plain request is answered without an auth_req_id: ${summary}`,
    change:
      'an accepted request is answered with a JSON object that has one (§4.1); is this the server-initiated endpoint?',
  });

async function askOne(assignment: Assignment, order: number, world: World): Promise<Found> {
  const { client, subscriber } = assignment;
  const about = `client ${client.name}`;
  const ctx = openContext(world, { case: caseOf(client), assignment, order });
  try {
    const observation = await authorize({}, plain, ctx);
    ctx.state.traces.set(plain.name, observation);
    ctx.state.lastAuthorize = plain.name;
    ctx.redactor.learnMembers(observation.claims);
    if (observation.outcome !== 'accepted') {
      const description = `a plain request is not accepted: ${whatItSaid(observation, ctx)}`;
      const advice = adviceOn(observation, { client, subscriber, receiver: world.receiver });
      return problem(about, { description, ...advice });
    }
    if (!world.interface.messages.hasRequestId(observation.body)) return withoutId(observation, about);
    return await withdraw(ctx, observation, about);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return problem(about, { whose: 'configuration', description: error.message, change: otherwise });
  } finally {
    closeInboxes(ctx);
  }
}

/** Why a plain request of this client is not expected to be accepted. */
function whyNot({ name, keys, flags }: Client): string | undefined {
  if (name === 'disabled') return 'it is disabled';
  if (keys.length === 0) return 'it has no key';
  return flags['server_initiated'] === true ? undefined : 'server_initiated is off';
}

/** One plain request of each client, for a subscriber who has consented; denied where there is a driver for deny. */
export async function checkClients(world: World): Promise<readonly Note[]> {
  const { clients, subscribers } = world.target;
  const found: Found[] = [];
  for (const [order, client] of clients.entries()) {
    const about = `client ${client.name}`;
    const skip = whyNot(client);
    const subscriber = subscribers.find(
      ({ tags, subs }) => tags.includes('consented') && subs[client.name] !== undefined,
    );
    if (skip !== undefined) found.push(skipped(about, `not asked: ${skip}`));
    else if (subscriber === undefined) {
      const description = 'there is no subscriber with the tag consented and a sub for it';
      const change = `name one under "subscribers", with "subs: { ${client.name} }"`;
      found.push(problem(about, { whose: 'configuration', description, change }));
    } else found.push(await askOne({ client, subscriber, second: undefined }, order, world));
  }
  return notesOf('clients', found);
}
