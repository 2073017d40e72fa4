import { omitUndefined } from '../../lib/json.ts';
import type { Observation } from '../../judge/observation.ts';
import type { Client, Subscriber, Target } from '../../model/target.ts';
import type { Scope } from '../../model/suite.ts';
import { clockMargin, effectiveLatency } from '../../model/declaration.ts';
import type { CaseContext, RunServices } from './case-context.ts';
import { allEndpointUrls } from './endpoints.ts';

export const resolveUri = (uri: string, receiver: string): string => (uri.startsWith('/') ? `${receiver}${uri}` : uri);

/** Absolute URIs that requests of the clients may name: those that they registered for callbacks and redirects. */
export const allowedUris = ({ clients }: Pick<Target, 'clients'>, receiver: string): readonly string[] =>
  clients.flatMap(({ notificationUris, redirectUris }) => [
    ...notificationUris.map((uri) => resolveUri(uri, receiver)),
    ...redirectUris,
  ]);

/** Template's view of a registration: public values only. */
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
    event_uri: client.eventUri && resolveUri(client.eventUri, receiver),
    keys,
    key: keys[0],
    flags: client.flags,
  };
}

function subscriberView({ name, phone, subs }: Subscriber, client: Client): Record<string, unknown> {
  return { name, sub: subs[client.name], subs, ...(phone === undefined ? {} : { phone }) };
}

/** Views by registration, for one receiver at a time: templates read them many times a second. */
const clientViews = new WeakMap<Client, { readonly receiver: string; readonly view: Record<string, unknown> }>();

function cachedClientView(client: Client, receiver: string): Record<string, unknown> {
  const known = clientViews.get(client);
  if (known?.receiver === receiver) return known.view;
  const view = clientView(client, receiver);
  clientViews.set(client, { receiver, view });
  return view;
}

export const otherSubscriber = (target: Target, tag: string, except: Subscriber): Subscriber | undefined =>
  target.subscribers.find(({ tags, name }) => tags.includes(tag) && name !== except.name);

function assertionAudience({ endpoints, target }: Pick<RunServices, 'endpoints' | 'target'>): string | undefined {
  const { assertionAudience: written = 'token_endpoint' } = target;
  if (written === 'issuer') return endpoints.issuer;
  return written === 'token_endpoint' ? allEndpointUrls(endpoints)['token'] : written;
}

function targetView(services: Pick<RunServices, 'endpoints' | 'target'>): Record<string, unknown> {
  const { endpoints, target } = services;
  const { mccmnc, carrierCodes, discovery, receiver } = target;
  return {
    issuer: endpoints.issuer,
    mccmnc,
    endpoints: allEndpointUrls(endpoints),
    latency: effectiveLatency(target),
    margin: clockMargin(target),
    own_codes: carrierCodes?.own ?? [mccmnc],
    foreign_codes: carrierCodes?.foreign ?? [],
    ...omitUndefined({
      discovery,
      assertion_audience: assertionAudience(services),
      wrong_receiver: receiver.wrongCertificate?.uri,
    }),
  };
}

const scopeRoots: Readonly<Record<string, (ctx: CaseContext) => unknown>> = {
  client: ({ client, services }) => cachedClientView(client, services.receiver),
  subscriber: ({ subscriber, client }) => subscriberView(subscriber, client),
  clients: ({ services: { target, receiver } }) =>
    Object.fromEntries(target.clients.map((client) => [client.name, cachedClientView(client, receiver)])),
  subscribers: ({ subscriber, client, services: { target } }) => {
    const tags = new Set(target.subscribers.flatMap((one) => one.tags));
    return Object.fromEntries(
      [...tags].flatMap((tag) => {
        const found = otherSubscriber(target, tag, subscriber);
        return found === undefined ? [] : [[tag, subscriberView(found, client)]];
      }),
    );
  },
  canary: ({ canary: { path, url } }) => ({ path, url }),
  entry: ({ entry }) => entry,
  target: ({ services }) => targetView(services),
};

/** Carrier's time in milliseconds: ours, corrected by its `Date` headers. */
export const carrierNow = ({ timeline, skew }: Pick<RunServices, 'timeline' | 'skew'>): number =>
  timeline.now() + (timeline.kind === 'real' ? (skew.current()?.offset ?? 0) : 0);

/** Trace of a step, as a later step sees it: a repetition sees the same repetition of a repeated step. */
function repetitionTrace(trace: Observation, { repetition }: Pick<CaseContext, 'repetition'>): Observation {
  if (repetition === undefined || !('repetitions' in trace)) return trace;
  return trace.repetitions?.[repetition] ?? trace;
}

/** Creates the scope of a case: `extra`, then the traces of its steps, then the roots of docs/suite-language.md. */
export function createScope(ctx: CaseContext, extra: Readonly<Record<string, unknown>> = {}): Scope {
  const scope: Scope = {
    now: () => Math.floor(carrierNow(ctx.services) / 1000),
    random: ctx.services.random,
    root: (name) => {
      if (Object.hasOwn(extra, name)) return extra[name];
      const trace = ctx.state.traces.get(name);
      if (trace !== undefined) return repetitionTrace(trace, ctx);
      if (name === 'each') {
        return {
          name: ctx.case.id.split('/').slice(1).join('/'),
          ...Object.fromEntries(ctx.case.each.map(([key, template]) => [key, template.evaluate(scope)])),
        };
      }
      return Object.hasOwn(scopeRoots, name) ? scopeRoots[name]?.(ctx) : undefined;
    },
  };
  return scope;
}
