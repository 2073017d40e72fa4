import { hasRequestId } from '../../judge/classify.ts';
import type { ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, plainText } from '../../model/json.ts';
import type { Position } from '../../model/position.ts';
import type { Client, Subscriber } from '../../model/target.ts';
import { authorize } from '../act/act-authorize.ts';
import { drive } from '../drive/drive.ts';
import { type CaseContext, openContext, Unmet } from '../world/case-room.ts';
import { newCanary } from '../case/hold-case.ts';
import { resolveUri } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import { type Note, notesOf, type Whose } from './note.ts';
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

interface Judged {
  readonly whose: Whose;
  readonly change: string;
}

function explain({ status = 0, noResponse, body }: ResponseObservation, asked: Asked): Judged {
  if (noResponse !== undefined) return { whose: 'network', change: 'see what is said of the endpoints' };
  if (status >= 500)
    return { whose: 'carrier', change: 'the carrier has to mend it: a sound request is answered with 200' };
  if (status === 404) return { whose: 'configuration', change: 'is this the server-initiated endpoint (§4.1)?' };
  const error = isJsonObject(body) ? `${plainText(body['error'])} ${plainText(body['error_description'])}` : '';
  const hint = hints.find(({ matches }) => matches.test(error));
  return { whose: 'configuration', change: hint?.change(asked) ?? otherwise };
}

type Found = Omit<Note, 'check'>;

/** What becomes of the request that is pending now. */
async function withdraw(
  ctx: CaseContext,
  observation: ResponseObservation,
  about: string,
  world: World,
): Promise<Found> {
  const driver = world.target.drivers['deny'];
  const accepted = 'a plain request is accepted';
  if (driver === undefined) {
    const left =
      observation.granted === undefined ? 'it stays pending' : `it stays pending for ${observation.granted} s`;
    return { about, state: 'ok', description: `${accepted}; ${left}, because there is no driver for deny` };
  }
  try {
    const { done, summary } = await drive({ action: 'deny', driver, of: plain.name, given: {} }, 'deny', ctx, world);
    return {
      about,
      state: 'ok',
      description: done ? `${accepted}, and denied again` : `${accepted}; deny: ${summary}`,
    };
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const description = `${accepted}, but ${ctx.redactor.text(error.message)}`;
    return { about, state: 'problem', whose: 'configuration', description, change: 'mend the driver for deny' };
  }
}

/** What the carrier says may hold whatever it was sent. */
const whatItSaid = ({ summary, body }: ResponseObservation, ctx: CaseContext): string => {
  const description = isJsonObject(body) ? body['error_description'] : undefined;
  const words = typeof description === 'string' ? `${summary}: ${description}` : summary;
  return ctx.redactor.text(words.slice(0, 300));
};

/** §4.1: whatever answers there, it took up no request. */
const withoutId = ({ summary }: ResponseObservation, about: string): Found => ({
  about,
  state: 'problem',
  whose: 'carrier',
  description: `a plain request is answered without an auth_req_id: ${summary}`,
  change:
    'an accepted request is answered with a JSON object that has one (§4.1); is this the server-initiated endpoint?',
});

async function askOne(client: Client, subscriber: Subscriber, order: number, world: World): Promise<Found> {
  const about = `client ${client.name}`;
  const assignment = { client, subscriber, second: undefined };
  const ctx = openContext(caseOf(client), assignment, {
    order,
    startedAt: world.timeline.now(),
    canary: newCanary(world),
  });
  try {
    const observation = await authorize({}, plain, ctx, world);
    if (observation.kind !== 'response') throw new TypeError('an authorize gave no answer');
    ctx.traces.set(plain.name, observation);
    ctx.lastAuthorize = plain.name;
    ctx.redactor.learnMembers(observation.claims);
    if (observation.outcome === 'accepted' && !hasRequestId(observation.body)) return withoutId(observation, about);
    if (observation.outcome === 'accepted') return await withdraw(ctx, observation, about, world);
    const description = `a plain request is not accepted: ${whatItSaid(observation, ctx)}`;
    return {
      about,
      state: 'problem',
      description,
      ...explain(observation, { client, subscriber, receiver: world.receiver }),
    };
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return { about, state: 'problem', whose: 'configuration', description: error.message, change: otherwise };
  } finally {
    for (const inbox of ctx.inboxes) world.correlator.forget(inbox, inbox.correlationKeys);
  }
}

/** Why nobody expects a plain request of this client to be accepted. */
function whyNot({ name, keys, flags }: Client): string | undefined {
  if (name === 'disabled') return 'it is disabled';
  if (keys.length === 0) return 'it has no key';
  return flags['server_initiated'] === true ? undefined : 'server_initiated is off';
}

/** One plain request of each client, for a subscriber who has consented; taken back where there is a driver for deny. */
export async function checkClients(world: World): Promise<readonly Note[]> {
  const { clients, subscribers } = world.target;
  const found: Found[] = [];
  for (const [order, client] of clients.entries()) {
    const about = `client ${client.name}`;
    const skip = whyNot(client);
    const subscriber = subscribers.find(
      ({ tags, subs }) => tags.includes('consented') && subs[client.name] !== undefined,
    );
    if (skip !== undefined) found.push({ about, state: 'skipped', description: `not asked: ${skip}` });
    else if (subscriber === undefined) {
      const description = 'there is no subscriber with the trait consented and a sub for it';
      const change = `name one under "subscribers", with "subs: { ${client.name} }"`;
      found.push({ about, state: 'problem', whose: 'configuration', description, change });
    } else found.push(await askOne(client, subscriber, order, world));
  }
  return notesOf('clients', found);
}
