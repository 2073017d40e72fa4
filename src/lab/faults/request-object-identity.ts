import type { Delivery } from '../../carrier/http/deliveries.ts';
import { verifyJws } from '../../carrier/jose/jws.ts';
import { asText, isJsonList, type Json, stringMember } from '../../carrier/json.ts';
import { type KeyContext, requireString } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState } from '../../carrier/state/accounts.ts';
import { readAcceptedClaims, type AcceptedClaims } from '../../carrier/state/requests.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable } from '../edit/fault-table.ts';
import {
  addClaimCheck,
  dropChecks,
  replaceCheck,
  replaceClaimCheck,
  withPipeline,
  withRoutes,
} from '../../carrier/seams/definition-parts.ts';
import {
  addLastRefusal,
  addRefusal,
  findClientFirst,
  findKeyFirst,
  skipCheckIf,
  skipObjectCheckIf,
} from '../edit/requests.ts';

const needsLists = { except: { 'aud-of-requests/no-list': 'a list is refused, whatever it holds' } };

/** Faults of the request object's header, signer and audience: §2.2, §2.3 iss, sub, aud, client_id. */
export const requestObjectIdentityFaults: readonly Fault[] = [
  ...defineFaults({
    'signature-not-verified': [
      'The request object is decoded and believed.',
      'HDR-008 SEC-04 SEC-12',
      dropChecks('signature-verifies'),
    ],
    'iss-not-compared': [
      'iss must be there, but may name any client.',
      'REQ-002',
      replaceClaimCheck('iss-is-the-client', (context) => void requireString(context, 'iss')),
    ],
    'aud-slash-tolerated': [
      'A slash after the issuer, or a path behind it, does not matter.',
      'REQ-007',
      replaceClaimCheck('aud-is-the-issuer', (context) => {
        const aud = requireString(context, 'aud');
        if (aud !== context.issuer && !aud.startsWith(`${context.issuer}/`)) refuse('invalid_request', 'wrong aud');
      }),
    ],
    'kid-ignored-any-key': [
      'kid is not looked at; every registered key is tried.',
      'HDR-001 HDR-003',
      findKeyFirst(({ client, jws }) => {
        const fits = [...client.keys.values()].find(({ key, alg }) => verifyJws(jws, key, alg));
        return fits ?? refuse('invalid_request_object', 'no key verifies');
      }),
    ],
    'kid-required-always': [
      'kid is demanded of a client with one key, too.',
      'HDR-002',
      addClaimCheck('kid-is-there', ({ header }) => {
        if (!('kid' in header)) refuse('invalid_request_object', 'kid is required');
      }),
    ],
    'unknown-client-500': [
      'A client that is not registered ends in an internal error.',
      'REQ-025 REQ-026 SEC-18 TRN-015 REQ-100',
      findClientFirst(({ claims, accounts }) => {
        const isKnown = accounts.clients.has(stringMember(claims, 'client_id') ?? '');
        return isKnown ? undefined : refuse('server_error', 'the carrier failed', 500);
      }),
    ],
    'disabled-client-accepted': [
      'A client that was disabled goes on working.',
      'REQ-026',
      findClientFirst(({ claims, accounts }) => accounts.clients.get(stringMember(claims, 'client_id') ?? '')),
    ],
    'sub-missing-as-access-denied': [
      'A request object without sub is refused as if the user had denied it.',
      'ERR-005 REQ-004',
      replaceClaimCheck('sub-is-the-client', (context) => {
        if (!('sub' in context.claims)) refuse('access_denied', 'sub is required');
        if (requireString(context, 'sub') !== context.client.clientId)
          refuse('invalid_client', 'sub must be client_id');
      }),
      {
        except: {
          'sub-of-requests': 'sub is not demanded',
          'code-sub': 'every refusal of this check gets the one code',
        },
      },
    ],
    'aud-is-the-endpoint': [
      'aud must be the URL of the endpoint, as in client assertions.',
      'FLOW-001',
      addLastRefusal('aud-is-the-endpoint', ({ claims, issuer }) => claims['aud'] !== `${issuer}/bc-authorize`),
    ],
    'aud-empty-list-accepted': [
      'Every entry of aud must be known, which holds for an empty list.',
      'SEC-16',
      acceptAudList((aud, { issuer }) => aud.every((entry) => entry === issuer)),
      needsLists,
    ],
    'aud-list-by-prefix': [
      'An entry of aud that begins with the issuer is taken for it.',
      'SEC-16',
      acceptAudList((aud, { issuer }) => aud.some((entry) => asText(entry).startsWith(issuer))),
      needsLists,
    ],
    'aud-list-in-any-case': [
      'Entries of aud are compared in lower case.',
      'SEC-16',
      acceptAudList((aud, { issuer }) => aud.some((entry) => entry === issuer.toUpperCase())),
      needsLists,
    ],
    'aud-list-flattened': [
      'The issuer is looked for in the lists within aud as well.',
      'SEC-16',
      acceptAudList((aud, { issuer }) => aud.flatMap((entry) => (isJsonList(entry) ? entry : [])).includes(issuer)),
      needsLists,
    ],
    'iss-in-any-case': [
      'iss and client_id are compared in lower case.',
      'REQ-002',
      skipCheckIf(
        ['iss-is-the-client'],
        ({ claims, client }) => asText(claims['iss']).toLowerCase() === client.clientId.toLowerCase(),
      ),
      { except: { 'client-ids/digits-12': 'an id of digits is the same in any case' } },
    ],
    'iss-trimmed': [
      'Blanks around iss are read over.',
      'REQ-002',
      skipCheckIf(['iss-is-the-client'], ({ claims, client }) => asText(claims['iss']).trim() === client.clientId),
    ],
    'client-id-beside-in-any-case': [
      'client_id inside and outside are compared in lower case.',
      'SEC-20',
      skipObjectCheckIf(
        ['client-id-beside-is-the-same'],
        ({ claims, outside }) =>
          asText(claims['client_id']).toLowerCase() === asText(outside['client_id']).toLowerCase(),
      ),
      {
        except: {
          'conflicting-values': 'a value that differs is refused, whatever else is done with it',
          'client-ids/digits-12': 'an id of digits is the same in any case',
        },
      },
    ],
    'kid-of-36-refused': [
      'kid must have fewer than 36 characters.',
      'HDR-004',
      addRefusal('kid-below-36', ({ key }) => key.kid.length > 35, 'invalid_request_object'),
      {
        except: { 'client-kids/thirty-six': 'every kid has 36 characters, so the plain request is refused as well' },
      },
    ],
    'kid-of-one-letter-refused': [
      'kid must have more than one character.',
      'HDR-001 HDR-004',
      addRefusal('kid-above-1', ({ key }) => key.kid.length < 2, 'invalid_request_object'),
    ],
    'aud-list-unseen': ['A list as aud is not looked into.', 'SEC-16', acceptAudList(() => true), needsLists],
  }),
  ...faultTable(dropChecks, {
    'alg-name-ignored': ['The alg of the header is never looked at.', 'SEC-01 SEC-03', 'alg-fits-the-key'],
    'crit-ignored': ['Header extensions are read over.', 'SEC-08', 'header-has-no-extension'],
    'typ-not-checked': ['Any signed token passes for a request object.', 'SEC-18', 'type-is-a-request-object'],
    'si-flag-ignored': ['Every client may use the endpoint.', 'CFG-001 FLOW-008', 'server-initiated-is-on'],
    'iss-not-required': ['iss is never looked at.', 'REQ-001 REQ-002 REQ-100', 'iss-is-the-client'],
    'aud-not-checked': ['aud is never looked at.', 'REQ-007 SEC-16', 'aud-is-the-issuer'],
  }),
];

function acceptAudList(isTaken: (aud: readonly Json[], context: KeyContext) => boolean): Edit {
  return skipCheckIf(['aud-is-the-issuer'], (context) => {
    const { aud } = context.claims;
    return aud !== undefined && isJsonList(aud) && isTaken(aud, context);
  });
}

const needsAHost = { except: { 'redirect-uris/custom-first': 'the redirect_uri of these cases has no host' } };

type RefusalNotice = (
  wanted: AcceptedClaims,
) => Pick<Delivery, 'headers' | 'body'> & { readonly write?: Delivery['write'] };

/** The refusal as an error callback, with what identifies the request. */
const refusalCallback: RefusalNotice = ({ notificationToken, state }) => ({
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    ...(notificationToken === undefined ? {} : { authorization: `bearer ${notificationToken}` }),
  },
  body: () => ({ error: 'invalid_request', ...(state === undefined ? {} : { state }) }),
});

/** Nothing that identifies the request: only its URI does. */
const emptyNotice: RefusalNotice = () => ({
  headers: {},
  body: () => ({}),
  write: () => ({ bytes: Buffer.alloc(0), headers: {} }),
});

/** Refuses an unregistered notification_uri, and calls that URI all the same. */
const callRefusedUri =
  (notice: RefusalNotice): Edit =>
  (definition) => {
    const told: AcceptedClaims[] = [];
    const noting = withPipeline(({ onClaims }) => ({
      onClaims: replaceCheck(onClaims, 'notification-uri-registered', (context, strict) => {
        const wanted = readAcceptedClaims(context.claims);
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
              write: content.callback,
              ...notice(wanted),
              uri: wanted.notificationUri,
              delay: 5,
              deadline: policy.callbackDeadline,
              retries: 0,
              retryAfter: policy.callbackRetryAfter,
              confirms: () => true,
            });
        },
      },
    }));
    return combineEdits(noting, telling)(definition);
  };

/** Faults of redirect_uri and notification_uri: §2.3, §5.2. */
export const requestObjectUrisFaults: readonly Fault[] = defineFaults({
  'refusal-told-at-its-uri': [
    'A notification_uri that is not registered is refused, and told so by a callback (C8.3).',
    'REQ-033 SEC-26',
    callRefusedUri(refusalCallback),
  ],
  'refused-uri-called-empty': [
    'A notification_uri that is not registered is refused, and called all the same, with an empty body and no credential (C8.3).',
    'REQ-033 SEC-26',
    callRefusedUri(emptyNotice),
  ],
  'redirect-uri-http-as-https': [
    'http is as good as https in a redirect_uri (C2.1).',
    'REQ-028',
    acceptSimilarRedirect((uri) => uri.replace(/^http:/, 'https:')),
  ],
  'redirect-uri-like-a-browser': [
    'redirect_uri is compared as a browser reads it: default port, dot segments, escapes, http and a wildcard host (C2.1).',
    'REQ-028 REQ-029 REQ-030',
    acceptSimilarRedirect((uri) => browserForm(uri.replace(/^http:/, 'https:').replace('://*.', '://'))),
  ],
  'redirect-uri-any-subdomain': [
    'A redirect_uri on any host below a registered one is taken (C2.1).',
    'REQ-029 REQ-030',
    skipCheckIf(['redirect-uri-registered'], ({ claims, client }) => {
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
    skipCheckIf(['redirect-uri-registered'], ({ claims, client }) => {
      const [scheme = ''] = asText(claims['redirect_uri']).split(':');
      return client.redirectUris.some((known) => !known.startsWith('https:') && known.startsWith(`${scheme}:`));
    }),
    { except: { 'redirect-uris/one': 'the SP has no URI of a scheme of its own' } },
  ],
  'redirect-uri-user-ignored': [
    'User information in a redirect_uri is read over when it is compared.',
    'REQ-030',
    acceptSimilarRedirect((uri) => uri.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1')),
    needsAHost,
  ],
  'redirect-uri-port-ignored': [
    'The port of a redirect_uri does not matter (C2.1).',
    'REQ-030',
    acceptSimilarRedirect((uri) => uri.replace(/^([a-z]+:\/\/[^/]*?):\d+/, '$1')),
    needsAHost,
  ],
  'redirect-uri-of-https-only': [
    'redirect_uri must have https (§2.3 allows custom schemes).',
    'REQ-028',
    addRefusal('redirect-uri-has-https', ({ claims }) => !asText(claims['redirect_uri']).startsWith('https:')),
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
    acceptSimilarNotification((uri) =>
      uri.replace(/^([a-z]+:\/\/[^/]*)(.*)$/s, (_, origin: string, path: string) => origin + path.toLowerCase()),
    ),
  ],
  'notification-uri-port-ignored': [
    'The port of a notification_uri does not matter (C2.7).',
    'REQ-033',
    acceptSimilarNotification((uri) => uri.replace(/^([a-z]+:\/\/[^/]*?):\d+/i, '$1')),
  ],
  'notification-uri-slash-ignored': [
    'A slash at the end of a notification_uri does not matter (C2.7).',
    'REQ-033',
    acceptSimilarNotification((uri) => uri.replace(/(?<!\/)\/+$/, '')),
  ],
  'notification-uri-like-a-browser': [
    'notification_uri is compared as a browser reads it: case of the scheme, escapes and dot segments (C2.7).',
    'REQ-033 CB-001 CB-024',
    acceptSimilarNotification(browserForm),
  ],
  'notification-uri-loopback-in-any-writing': [
    'A loopback address in another writing than four decimal numbers is left open for development (C4.8).',
    'REQ-033 SEC-26',
    skipCheckIf(['notification-uri-registered'], ({ claims, client }) => {
      const uri = asText(claims['notification_uri']);
      return !client.notificationUris.includes(uri) && oddLoopback.test(writtenHost(uri)) && namesLoopback(uri);
    }),
  ],
  'client-id-by-its-beginning': [
    'A client is found by a client_id that goes on after its own.',
    'REQ-026',
    findClientFirst(({ claims, accounts }) => {
      const clientId = asText(claims['client_id']);
      const found = [...accounts.clients.values()].find(
        (one) => clientId !== one.clientId && clientId.startsWith(one.clientId),
      );
      return found && { ...found, clientId };
    }),
  ],
});

/** Accepts a redirect_uri that equals a registered one after `plain`. */
function acceptSimilarRedirect(plain: (uri: string) => string): Edit {
  return acceptSimilar('redirect_uri', ({ redirectUris }) => redirectUris, plain);
}

/** Accepts a notification_uri that equals a registered one after `plain`. */
function acceptSimilarNotification(plain: (uri: string) => string): Edit {
  return acceptSimilar('notification_uri', ({ notificationUris }) => notificationUris, plain);
}

function acceptSimilar(
  claim: string,
  registered: (client: ClientState) => readonly string[],
  plain: (uri: string) => string,
): Edit {
  return skipCheckIf([`${claim.replace('_', '-')}-registered`], ({ claims, client }: KeyContext) => {
    const uri = plain(asText(claims[claim]));
    return registered(client).some((known) => plain(known) === uri);
  });
}

/** Normalizes a URI by the URL standard, and decodes escapes of unreserved characters. */
function browserForm(uri: string): string {
  const { href } = URL.canParse(uri) ? new URL(uri) : { href: uri };
  return href.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCodePoint(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped;
  });
}

/** Host of a URI, as written. */
function writtenHost(uri: string): string {
  return /^[a-z]+:\/\/(\[[^\]]*\]|[^/:]*)/i.exec(uri)?.[1] ?? '';
}

/** Notations of a loopback address that a comparison with four decimal numbers misses. */
const oddLoopback = /^(0\d|0x|127\.\d+$|\[::ffff|localhost\.)|\u3002/i;

/** Whether a host names this machine. */
function namesLoopback(uri: string): boolean {
  const { hostname } = URL.canParse(uri) ? new URL(uri) : { hostname: '' };
  return /^(127\.\d+\.\d+\.\d+|localhost\.?|\[::ffff:7f\w*:\w+\])$/.test(hostname);
}
