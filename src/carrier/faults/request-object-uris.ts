import { asText } from '../json.ts';
import type { KeyContext } from '../pipeline/context.ts';
import { reader } from '../pipeline/step.ts';
import type { Client } from '../state/accounts.ts';
import { readWanted, type Wanted } from '../state/requests.ts';
import { all, defineFaults, type Edit, type Fault } from './edit/define.ts';
import { replaceCheck, withPipeline, withRoutes } from './edit/parts.ts';
import { alsoRefused, letThrough } from './edit/requests.ts';

const needsAHost = { except: { 'redirect-uris/custom-first': 'the redirect_uri of these cases has no host' } };

/** A request whose notification_uri is not registered is refused, and the refusal is posted to that URI as well. */
const tellingAtItsUri: Edit = (definition) => {
  const told: Wanted[] = [];
  const noting = withPipeline(({ onClaims }) => ({
    onClaims: replaceCheck(onClaims, 'notification-uri-registered', (context, strict) => {
      const wanted = readWanted(context.claims);
      const { notificationUri: uri } = wanted;
      const isPlain = URL.canParse(uri) && new URL(uri).href === uri;
      if (isPlain && !context.client.notificationUris.includes(uri)) told.push(wanted);
      strict.run(context);
    }),
  }));
  const telling = withRoutes(({ serverInitiated: route }) => ({
    serverInitiated: route && {
      ...route,
      respond: async (carrier, request, reply) => {
        await route.respond(carrier, request, reply);
        const { policy, content } = carrier.definition;
        for (const wanted of told.splice(0))
          carrier.deliveries.send({
            uri: wanted.notificationUri,
            headers: {
              'content-type': 'application/json',
              'cache-control': 'no-cache',
              ...(wanted.notificationToken === undefined
                ? {}
                : { authorization: `bearer ${wanted.notificationToken}` }),
            },
            body: () => ({ error: 'invalid_request', ...(wanted.state === undefined ? {} : { state: wanted.state }) }),
            write: content.callback,
            delay: 5,
            deadline: policy.callbackDeadline,
            retries: 0,
            retryAfter: policy.callbackRetryAfter,
            confirms: () => true,
          });
      },
    },
  }));
  return all(noting, telling)(definition);
};

/** On redirect_uri and notification_uri: §2.3, §5.2. */
export const requestObjectUrisFaults: readonly Fault[] = defineFaults({
  'refusal-told-at-its-uri': [
    'A notification_uri that is not registered is refused, and told so by a callback (C8.3).',
    'REQ-033',
    tellingAtItsUri,
  ],
  'redirect-uri-http-as-https': [
    'http is as good as https in a redirect_uri (C2.1).',
    'REQ-028',
    redirectsAlike((uri) => uri.replace(/^http:/, 'https:')),
  ],
  'redirect-uri-like-a-browser': [
    'redirect_uri is compared as a browser reads it: default port, dot segments, escapes, http and a wildcard host (C2.1).',
    'REQ-028 REQ-029 REQ-030',
    redirectsAlike((uri) => asBrowser(uri.replace(/^http:/, 'https:').replace('://*.', '://'))),
  ],
  'redirect-uri-any-subdomain': [
    'A redirect_uri on any host below a registered one is taken (C2.1).',
    'REQ-029 REQ-030',
    letThrough(['redirect-uri-registered'], ({ claims, client }) => {
      const uri = asText(claims['redirect_uri']);
      return client.redirectUris.some((known) => {
        const [scheme = '', rest = ''] = known.split('://');
        return uri.startsWith(`${scheme}://`) && uri.endsWith(`.${rest}`);
      });
    }),
    needsAHost,
  ],
  'redirect-uri-by-its-custom-scheme': [
    'A redirect_uri with the custom scheme of a registered one is taken, for a phone opens the same app (C8.8).',
    'REQ-030',
    letThrough(['redirect-uri-registered'], ({ claims, client }) => {
      const [scheme = ''] = asText(claims['redirect_uri']).split(':');
      return client.redirectUris.some((known) => !known.startsWith('https:') && known.startsWith(`${scheme}:`));
    }),
  ],
  'redirect-uri-user-ignored': [
    'User information in a redirect_uri is read over when it is compared.',
    'REQ-030',
    redirectsAlike((uri) => uri.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1')),
    needsAHost,
  ],
  'redirect-uri-port-ignored': [
    'The port of a redirect_uri does not matter (C2.1).',
    'REQ-030',
    redirectsAlike((uri) => uri.replace(/^([a-z]+:\/\/[^/]*?):\d+/, '$1')),
    needsAHost,
  ],
  'redirect-uri-of-https-only': [
    'redirect_uri must have https (§2.3 allows custom schemes).',
    'REQ-028',
    alsoRefused('redirect-uri-has-https', ({ claims }) => !asText(claims['redirect_uri']).startsWith('https:')),
    {
      except: {
        'redirect-uris/one': 'no custom scheme is registered',
        'redirect-uris/with-query': 'no custom scheme is registered',
        'redirect-uris/custom-first': 'the plain request is refused as well',
      },
    },
  ],
  'notification-uri-path-in-any-case': [
    'The path of a notification_uri is compared in lower case (C2.7).',
    'REQ-033',
    notificationsAlike((uri) =>
      uri.replace(/^([a-z]+:\/\/[^/]*)(.*)$/s, (_, origin: string, path: string) => origin + path.toLowerCase()),
    ),
  ],
  'notification-uri-port-ignored': [
    'The port of a notification_uri does not matter (C2.7).',
    'REQ-033',
    notificationsAlike((uri) => uri.replace(/^([a-z]+:\/\/[^/]*?):\d+/i, '$1')),
  ],
  'notification-uri-slash-ignored': [
    'A slash at the end of a notification_uri does not matter (C2.7).',
    'REQ-033',
    notificationsAlike((uri) => uri.replace(/(?<!\/)\/+$/, '')),
  ],
  'notification-uri-like-a-browser': [
    'notification_uri is compared as a browser reads it: case of the scheme, escapes and dot segments (C2.7).',
    'REQ-033 CB-001 CB-024',
    notificationsAlike(asBrowser),
  ],
  'notification-uri-loopback-in-any-writing': [
    'A loopback address in another writing than four decimal numbers is left open for development (C4.8).',
    'REQ-033 SEC-26',
    letThrough(['notification-uri-registered'], ({ claims, client }) => {
      const uri = asText(claims['notification_uri']);
      return !client.notificationUris.includes(uri) && odd.test(hostOf(uri)) && isLoopback(uri);
    }),
  ],
  'client-id-by-its-beginning': [
    'A client is found by a client_id that goes on after its own.',
    'REQ-026',
    withPipeline(({ readClient }) => ({
      readClient: reader(readClient.name, (context) => {
        const clientId = asText(context.claims['client_id']);
        const found = [...context.accounts.clients.values()].find(
          (one) => clientId !== one.clientId && clientId.startsWith(one.clientId),
        );
        return found === undefined ? readClient.read(context) : { ...context, client: { ...found, clientId } };
      }),
    })),
  ],
});

/** Lets a redirect_uri through that is alike a registered one. */
function redirectsAlike(plain: (uri: string) => string): Edit {
  return alike('redirect_uri', ({ redirectUris }) => redirectUris, plain);
}

/** Lets a notification_uri through that is alike a registered one. */
function notificationsAlike(plain: (uri: string) => string): Edit {
  return alike('notification_uri', ({ notificationUris }) => notificationUris, plain);
}

function alike(claim: string, registered: (client: Client) => readonly string[], plain: (uri: string) => string): Edit {
  return letThrough([`${claim.replace('_', '-')}-registered`], ({ claims, client }: KeyContext) => {
    const uri = plain(asText(claims[claim]));
    return registered(client).some((known) => plain(known) === uri);
  });
}

/** As the URL standard writes a URI, with escapes of plain characters decoded; other text as it is. */
function asBrowser(uri: string): string {
  const { href } = URL.canParse(uri) ? new URL(uri) : { href: uri };
  return href.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCodePoint(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped;
  });
}

/** The host as it is written. */
function hostOf(uri: string): string {
  return /^[a-z]+:\/\/(\[[^\]]*\]|[^/:]*)/i.exec(uri)?.[1] ?? '';
}

/** Writings of an address that a comparison with four decimal numbers does not know. */
const odd = /^(0\d|0x|127\.\d+$|\[::ffff|localhost\.)|\u3002/i;

/** Whether a host names this machine. */
function isLoopback(uri: string): boolean {
  const { hostname } = URL.canParse(uri) ? new URL(uri) : { hostname: '' };
  return /^(127\.\d+\.\d+\.\d+|localhost\.?|\[::ffff:7f\w*:\w+\])$/.test(hostname);
}
