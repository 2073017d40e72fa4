import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { raiseEvent, raiseEventFor } from '../flow/events.ts';
import { readRequestPart } from '../http/request.ts';
import { isJsonObject, type JsonObject, stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { ClientState, SubscriberState } from '../state/accounts.ts';

/** Adds the actions of the user in the app (§6) and of the SP in the portal (§2.12). */
export function addAccountRoutes(app: FastifyInstance, carrier: Carrier): void {
  addSubscriberRoutes(app, carrier);
  addLinkRoutes(app, carrier);
  addClientRoutes(app, carrier);
}

function addSubscriberRoutes(app: FastifyInstance, carrier: Carrier): void {
  // Functions that cancel a scheduled removal, by the set of consents.
  const lagging = new WeakMap<Set<string>, () => void>();
  app.post('/subscribers/:name/open-app', (request, reply) => {
    const subscriber = namedSubscriber(carrier, request);
    subscriber.openedAt = carrier.clock.now();
    subscriber.authenticatedAt = subscriber.openedAt;
    return reply.send({ auth_time: Math.floor(subscriber.authenticatedAt / 1000), acr: 'a3' });
  });
  app.post('/subscribers/:name/consent', (request, reply) => {
    const body = readRequestPart(request, 'body');
    const { consents, registered } = readConsentCall(carrier, request, body);
    lagging.get(consents)?.();
    for (const scope of readScopes(body) ?? registered) consents.add(scope);
    return reply.send({ scopes: [...consents] });
  });
  app.post('/subscribers/:name/remove-consent', (request, reply) => {
    const body = readRequestPart(request, 'body');
    const { subscriber, client, consents } = readConsentCall(carrier, request, body);
    const removed = readScopes(body) ?? [...consents];
    const left = new Set([...consents].filter((scope) => !removed.includes(scope)));
    // Raised while the consent is still there: afterwards the SP is no longer entitled to it.
    const { isRevoked, isRevokedForAll } = carrier.definition.events;
    if (isRevoked(consents, left)) {
      const raised = { subscriber, event: 'consent_revoked', cause: 'remove-consent' };
      if (isRevokedForAll) raiseEvent(carrier, raised);
      else raiseEventFor(carrier, { ...raised, client });
    }
    const remove = (): void => {
      for (const scope of removed) consents.delete(scope);
    };
    const { consentLag } = carrier.definition.policy;
    if (consentLag === 0) remove();
    else lagging.set(consents, carrier.clock.schedule(carrier.clock.now() + consentLag * 1000, remove));
    return reply.send({ scopes: [...left] });
  });
}

/** Links the phone app to the SP's app or site, and unlinks it (§1.6). */
function addLinkRoutes(app: FastifyInstance, carrier: Carrier): void {
  const change = (name: string, act: (unlinked: Set<string>, client: string) => void): void => {
    app.post(`/subscribers/:name/${name}`, (request, reply) => {
      const { unlinked } = namedSubscriber(carrier, request);
      act(unlinked, requireClient(carrier, readRequestPart(request, 'body')['client_id']).name);
      return reply.send({ unlinked: [...unlinked] });
    });
  };
  change('link', (unlinked, client) => unlinked.delete(client));
  change('unlink', (unlinked, client) => unlinked.add(client));
}

function addClientRoutes(app: FastifyInstance, carrier: Carrier): void {
  app.put('/clients/:clientId/flags', (request, reply) => {
    const { flags } = requireClient(carrier, readRequestPart(request, 'params')['clientId']);
    const body = readRequestPart(request, 'body');
    const { flag, on } = body;
    // A driver names the one flag it switches; any other caller sends the flags themselves.
    const wanted = typeof flag === 'string' ? { [flag]: on ?? null } : body;
    for (const [name, value] of Object.entries(wanted)) {
      if (typeof value !== 'boolean') refuse('invalid_request', 'a flag must be true or false');
      flags.set(name, value);
    }
    return reply.send(Object.fromEntries(flags));
  });
  app.post('/clients/:clientId/flags/reset', (request, reply) => {
    const { flags, registeredFlags } = requireClient(carrier, readRequestPart(request, 'params')['clientId']);
    flags.clear();
    for (const [name, value] of Object.entries(registeredFlags)) flags.set(name, value);
    return reply.send(Object.fromEntries(flags));
  });
  app.delete('/clients/:clientId/keys/:kid', (request, reply) => {
    const { client, kid } = namedKey(carrier, request);
    client.keys.delete(kid);
    return reply.send({ keys: [...client.keys.keys()] });
  });
  app.put('/clients/:clientId/keys/:kid', (request, reply) => {
    const { client, kid } = namedKey(carrier, request);
    restoreKeys(client, new Set([...client.keys.keys(), kid]));
    return reply.send({ keys: [...client.keys.keys()] });
  });
  app.post('/clients/:clientId/keys/restore', (request, reply) => {
    const client = requireClient(carrier, readRequestPart(request, 'params')['clientId']);
    restoreKeys(client, new Set(client.allKeys.keys()));
    return reply.send({ keys: [...client.keys.keys()] });
  });
}

/** Keeps the keys in the order of registration. */
function restoreKeys(client: ClientState, wanted: ReadonlySet<string>): void {
  client.keys.clear();
  for (const [kid, key] of client.allKeys) if (wanted.has(kid)) client.keys.set(kid, key);
}

function namedKey(carrier: Carrier, request: FastifyRequest): { client: ClientState; kid: string } {
  const { clientId, kid } = readRequestPart(request, 'params');
  const client = requireClient(carrier, clientId);
  if (typeof kid !== 'string' || !client.allKeys.has(kid)) refuse('unknown_key', 'the client has no such key', 404);
  return { client, kid };
}

export function requireClient({ accounts }: Carrier, id: unknown): ClientState {
  return (
    (typeof id === 'string' ? accounts.clients.get(id) : undefined) ??
    refuse('unknown_client', 'there is no such client', 404)
  );
}

const namedSubscriber = (carrier: Carrier, request: FastifyRequest): SubscriberState =>
  requireSubscriber(carrier, readRequestPart(request, 'params')['name']);

export function requireSubscriber({ accounts }: Carrier, name: unknown): SubscriberState {
  return (
    (typeof name === 'string' ? accounts.subscribers.get(name) : undefined) ??
    refuse('unknown_subscriber', 'there is no such subscriber', 404)
  );
}

interface ConsentCall {
  readonly subscriber: SubscriberState;
  readonly client: ClientState;
  readonly consents: Set<string>;
  /** Scopes consented to when the carrier started. */
  readonly registered: readonly string[];
}

function readConsentCall(carrier: Carrier, request: FastifyRequest, { client_id: id }: JsonObject): ConsentCall {
  const subscriber = namedSubscriber(carrier, request);
  const client = requireClient(carrier, id);
  const consents = subscriber.consents.get(client.name) ?? new Set();
  subscriber.consents.set(client.name, consents);
  return { subscriber, client, consents, registered: subscriber.registered.consents[client.name] ?? [] };
}

function readScopes({ scopes }: JsonObject): string[] | undefined {
  if (scopes === undefined || scopes === null) return undefined;
  if (!Array.isArray(scopes)) refuse('invalid_request', 'scopes must be a list');
  return scopes.map((scope) => (typeof scope === 'string' ? scope : refuse('invalid_request', 'a scope is a string')));
}

type SubscriberChange = (carrier: Carrier, subscriber: SubscriberState, body: JsonObject) => void;

/** Changes of the SIM, the phone and the number (§1.5, §6); a SIM that only moves keeps its number (§2.8). */
const simChanges: Readonly<Record<string, SubscriberChange>> = {
  'move-sim': recordMove,
  'factory-reset': recordMove,
  'swap-sim': ({ accounts, clock }, subscriber) => accounts.changeSim(subscriber, clock.now()),
  'change-number': ({ accounts, clock }, subscriber, body) => {
    accounts.changeNumber(subscriber, stringMember(body, 'phone') ?? findFreeNumber(accounts, subscriber.phone));
    accounts.changeSim(subscriber, clock.now());
    subscriber.phoneChangedAt = clock.now();
  },
};

function recordMove({ clock }: Carrier, subscriber: SubscriberState): void {
  subscriber.movedAt = clock.now();
}

const editedProfile: JsonObject = {
  name: { value: 'Edited Name', given_name: 'Edited', family_name: 'Name' },
  email: 'edited@subscriber.example',
  birthdate: '1970-01-01',
  address: {
    formatted: '9 Edit Street, Springfield, IL 62701',
    street_address: '9 Edit Street',
    locality: 'Springfield',
    region: 'IL',
    postal_code: '62701',
    country: 'US',
  },
};

/** Changes of the profile by the user (§2.11), and the restore of the registered state. */
const profileChanges: Readonly<Record<string, SubscriberChange>> = {
  edit: (_carrier, subscriber, body) => {
    const { attribute } = body;
    // A driver names the attribute only; any other caller sends the new values.
    const edits = typeof attribute === 'string' ? { [attribute]: editedProfile[attribute] ?? 'edited' } : body;
    for (const [name, value] of Object.entries(edits)) {
      subscriber.rescanned.delete(name);
      subscriber.edits.set(name, isJsonObject(value) ? value : { value });
      if (name === 'email') subscriber.emailVerified = false;
    }
  },
  'verify-email': (_carrier, subscriber) => {
    subscriber.emailVerified = true;
  },
  // A new scan of a document proofs the edited attributes.
  'scan-document': (_carrier, subscriber) => {
    for (const name of subscriber.edits.keys()) subscriber.rescanned.add(name);
  },
  'bounce-email': (_carrier, subscriber) => {
    subscriber.emailVerified = false;
  },
  restore: ({ accounts }, subscriber) => {
    const { registered } = subscriber;
    subscriber.edits.clear();
    subscriber.rescanned.clear();
    subscriber.emailVerified = registered.account.emailVerified;
    delete subscriber.simChangedAt;
    delete subscriber.simSeenAt;
    delete subscriber.phoneChangedAt;
    delete subscriber.movedAt;
    accounts.changeNumber(subscriber, registered.phone);
  },
};

export function addSubscriberChanges(app: FastifyInstance, carrier: Carrier): void {
  for (const [name, change] of Object.entries({ ...simChanges, ...profileChanges })) {
    app.post(`/subscribers/:name/${name}`, (request, reply) => {
      const subscriber = namedSubscriber(carrier, request);
      change(carrier, subscriber, readRequestPart(request, 'body'));
      for (const event of carrier.definition.events.raisedBy[name] ?? []) {
        raiseEvent(carrier, { subscriber, event, cause: name });
      }
      const { phone, emailVerified, edits } = subscriber;
      return reply.send({ phone, email_verified: emailVerified, edited: [...edits.keys()] });
    });
  }
}

function findFreeNumber(accounts: Carrier['accounts'], phone: string): string {
  for (let next = 200; next < 1000; next++) {
    const number = `${phone.slice(0, -4)}0${next}`;
    if (accounts.findPhone(number) === undefined) return number;
  }
  return refuse('invalid_request', 'there is no free number');
}
