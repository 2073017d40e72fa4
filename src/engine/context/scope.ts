import type { Client, Subscriber, Target } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import type { CaseContext } from './case-context.ts';
import { carrierNow, type World } from './world.ts';

export const resolveUri = (uri: string, receiver: string): string => (uri.startsWith('/') ? `${receiver}${uri}` : uri);

/** What a template sees of a registration: public values only. */
function clientView(client: Client, receiver: string): Record<string, unknown> {
  const notificationUris = client.notificationUris.map((uri) => resolveUri(uri, receiver));
  const keys = client.keys.map(({ kid, alg }) => ({ kid, alg }));
  return {
    name: client.name,
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0],
    redirect_uris: client.redirectUris,
    notification_uri: notificationUris[0],
    notification_uris: notificationUris,
    keys,
    key: keys[0],
    flags: client.flags,
  };
}

function subscriberView({ name, phone, subs }: Subscriber, client: Client): Record<string, unknown> {
  return { name, sub: subs[client.name], subs, ...(phone === undefined ? {} : { phone }) };
}

/** Views by registration, for one receiver at a time: a template reads them many times a second. */
const views = new WeakMap<Client, { readonly receiver: string; readonly view: Record<string, unknown> }>();

function cachedClientView(client: Client, receiver: string): Record<string, unknown> {
  const known = views.get(client);
  if (known?.receiver === receiver) return known.view;
  const view = clientView(client, receiver);
  views.set(client, { receiver, view });
  return view;
}

export const subscriberFor = (target: Target, trait: string, except: Subscriber): Subscriber | undefined =>
  target.subscribers.find(({ tags, name }) => tags.includes(trait) && name !== except.name);

type Roots = Readonly<Record<string, (ctx: CaseContext, world: World) => unknown>>;

const roots: Roots = {
  client: ({ client }, { receiver }) => cachedClientView(client, receiver),
  subscriber: ({ subscriber, client }) => subscriberView(subscriber, client),
  clients: (_, { target, receiver }) =>
    Object.fromEntries(target.clients.map((client) => [client.name, cachedClientView(client, receiver)])),
  subscribers: ({ subscriber, client }, { target }) => {
    const tags = new Set(target.subscribers.flatMap((one) => one.tags));
    return Object.fromEntries(
      [...tags].flatMap((trait) => {
        const found = subscriberFor(target, trait, subscriber);
        return found === undefined ? [] : [[trait, subscriberView(found, client)]];
      }),
    );
  },
  canary: ({ canary: { path, url } }) => ({ path, url }),
  target: (_, { endpoints, target }) => ({
    issuer: endpoints.issuer,
    mccmnc: target.mccmnc,
    endpoints: endpoints.urls,
    ...(target.discovery === undefined ? {} : { discovery: target.discovery }),
  }),
};

/** The scope of a case: roots of docs/suite-language.md, then the traces of its steps, then `extra`. */
export function createScope(ctx: CaseContext, world: World, extra: Readonly<Record<string, unknown>> = {}): Scope {
  const scope: Scope = {
    now: () => Math.floor(carrierNow(world) / 1000),
    random: world.random,
    root: (name) => {
      if (Object.hasOwn(extra, name)) return extra[name];
      const trace = ctx.traces.get(name);
      if (trace !== undefined) return trace;
      if (name === 'each') {
        return {
          name: ctx.case.id.split('/').slice(1).join('/'),
          ...Object.fromEntries(ctx.case.each.map(([key, template]) => [key, template.evaluate(scope)])),
        };
      }
      return Object.hasOwn(roots, name) ? roots[name]?.(ctx, world) : undefined;
    },
  };
  return scope;
}
