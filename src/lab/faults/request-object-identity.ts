import type { Delivery } from '../../carrier/http/deliveries.ts';
import { verifyJws } from '../../carrier/jose/jws.ts';
import { asText, isJsonList, type Json, stringMember } from '../../carrier/json.ts';
import { type KeyContext, requireString } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
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
import { addRefusal, findClientFirst, findKeyFirst, skipCheckIf, skipObjectCheckIf } from '../edit/requests.ts';

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
      { keeps: 'the foreign carriers have the same defect' },
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
      'REQ-025 REQ-026 SEC-18 TRN-015 REQ-100 TRN-002 REQ-027',
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
    'aud-empty-list-accepted': [
      'Every entry of aud must be known, which holds for an empty list.',
      'SEC-16',
      acceptAudList((aud, { issuer }) => aud.every((entry) => entry === issuer)),
      needsLists,
    ],
    'iss-in-any-case': [
      'iss and client_id are compared in lower case.',
      'REQ-002',
      skipCheckIf(
        ['iss-is-the-client'],
        ({ claims, client }) => asText(claims['iss']).toLowerCase() === client.clientId.toLowerCase(),
      ),
      {
        keeps: 'src/lab/faults/faults.test.ts runs with it',
        except: { 'client-ids/digits-12': 'an id of digits is the same in any case' },
      },
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

type RefusalNotice = (
  wanted: AcceptedClaims,
) => Pick<Delivery, 'headers' | 'body'> & { readonly write?: Delivery['write'] };

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
  'refused-uri-called-empty': [
    'A notification_uri that is not registered is refused, and called all the same, with an empty body and no credential (C8.3).',
    'REQ-033 SEC-26',
    callRefusedUri(emptyNotice),
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
});
