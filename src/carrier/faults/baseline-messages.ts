import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { Route } from '../carrier.ts';
import { asText, isJsonList, type Json, stringMember } from '../json.ts';
import { refuseClient } from '../pipeline/assertion.ts';
import type { SubscriberContext } from '../pipeline/context.ts';
import { reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import { all, defineFaults, type Edit } from './edit/define.ts';
import { published } from './edit/messages.ts';
import {
  insteadOf,
  insteadOfLast,
  withAssertion,
  withBuilders,
  without,
  withPipeline,
  withRoutes,
  withUserinfoCall,
  replaceCheck,
} from './edit/parts.ts';

/** What a search for someone takes who is there, in milliseconds. */
const search = 25;

const unreached = 'the subscriber cannot be reached';

/** On what is around the request object, and on what the carrier signs and publishes (SEC-14, SEC-19, SEC-26 and SEC-31 on). */
export const baselineMessagesFaults = defineFaults({
  'request-within-believed': [
    'The claims of a request object inside the request object count (C1.11).',
    'SEC-19 SEC-31 REQ-040 RSP-002 REQ-079 CB-004 CB-008 CB-010',
    all(
      without('no-request-object-within'),
      withBuilders(({ claims }) => ({ claims: withInner(claims) })),
    ),
    {
      except: {
        'conflicting-values': 'a request within that differs from the one around it is refused',
        'inner-request': 'there is no check that could be missing',
      },
    },
  ],
  'request-uri-fetched': [
    'A request_uri is fetched, inside the request object as beside it (C1.11).',
    'SEC-19',
    all(without('no-request-object-within', 'no-request-uri-beside'), fetchingRequests()),
    {
      except: {
        'inner-request': 'there is no check that could be missing',
        'request-uri-beside': 'there is no check that could be missing',
      },
    },
  ],
  'notification-uri-scheme-ignored': [
    'notification_uri is compared from its host on (C2.1).',
    'SEC-26',
    insteadOf('notification-uri-registered', ({ claims, client }) => {
      const rest = (uri: Json | undefined): string => asText(uri).replace(/^https?:/, '');
      const given = rest(claims['notification_uri']);
      if (!client.notificationUris.some((uri) => rest(uri) === given)) refuse('invalid_request', 'not registered');
    }),
  ],
  'assertion-exp-not-checked': [
    'exp of a client assertion is not looked at (C2.17).',
    'SEC-14 SEC-52',
    withAssertion(({ onAssertion }) => ({
      onAssertion: replaceCheck(onAssertion, 'assertion-is-of-now', ({ claims: { iat }, now, policy }) => {
        if (!(Number(iat) <= now / 1000 + policy.iatMaxAhead)) refuseClient();
      }),
    })),
  ],
  'userinfo-empty-token': [
    'An empty bearer token ends in an internal error (C1.20).',
    'SEC-33',
    withUserinfoCall(({ readToken }) => ({
      readToken: reader(readToken.name, (context) => {
        if (/^bearer\s*$/i.test(context.authorization ?? '')) refuse('server_error', 'the carrier failed', 500);
        return readToken.read(context);
      }),
    })),
    { except: { 'empty-bearer': 'an empty bearer is refused before it is read' } },
  ],
  'id-token-of-an-unpublished-kid': [
    'The kid of id tokens is not that of any published key (C2.17).',
    'SEC-31',
    withBuilders(({ idTokenKey }) => ({ idTokenKey: (key) => ({ ...idTokenKey(key), kid: 'carrierkey99' }) })),
  ],
  'discovery-lists-none': [
    'none is among the algorithms for request objects (C2.17).',
    'SEC-39',
    published(({ request_object_signing_alg_values_supported: algs }) => ({
      request_object_signing_alg_values_supported: [...(algs !== undefined && isJsonList(algs) ? algs : []), 'none'],
    })),
  ],
  'discovery-forwarded-host-believed': [
    'The configuration is made for the host that X-Forwarded-Host or Forwarded names (C4.5).',
    'SEC-47 DSC-012',
    withRoutes(({ configuration, ownConfiguration }) => ({
      configuration: forForwardedHost(configuration),
      ownConfiguration: forForwardedHost(ownConfiguration),
    })),
  ],
  'two-hosts-accepted': ['Of two Host headers the first counts (C4.5).', 'SEC-48', without('one-host')],
  'compressed-body-inflated': [
    'A compressed body is inflated, however much there is in it (C4.5).',
    'SEC-48',
    withPipeline(({ readBody }) => ({
      readBody: reader(readBody.name, (context) => {
        const isPacked = context.bytes[0] === 0x1f && context.bytes[1] === 0x8b;
        return readBody.read(isPacked ? { ...context, bytes: withoutTail(gunzipSync(context.bytes)) } : context);
      }),
    })),
  ],
  'method-override-honoured': [
    'A GET with X-HTTP-Method-Override is taken for a POST of its query (C4.5).',
    'SEC-49',
    withRoutes(({ serverInitiated: route }) => ({ serverInitiated: route && overridable(route) })),
    { except: { 'other-methods': 'it decides what other methods get at the same address' } },
  ],
  'refusal-of-the-unenrolled-late': [
    'A user without the app is looked for in a second register, which takes its time (C1.29).',
    'SEC-35',
    all(
      insteadOfLast('subscriber-has-the-app', ({ subscriber, policy }) => {
        if (!subscriber.enrolled) refuse(policy.unenrolledError, unreached);
      }),
      withBuilders(({ refusal }) => ({
        refusal: (reason, correlationId) => {
          const from = performance.now();
          while (reason.description === unreached && performance.now() - from < search);
          return refusal(reason, correlationId);
        },
      })),
    ),
  ],
});

/** JSON without the blanks behind it. */
function withoutTail(bytes: Buffer): Buffer {
  const end = bytes.indexOf('  ');
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Claims of an inner request object over those of the outer one. */
function withInner(claims: (context: SubscriberContext) => SubscriberContext['claims']) {
  return (context: SubscriberContext): SubscriberContext['claims'] => {
    const [, payload] = (stringMember(context.claims, 'request') ?? '').split('.');
    if (payload === undefined) return claims(context);
    const inner: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return { ...claims(context), ...(typeof inner === 'object' ? inner : {}) };
  };
}

function fetchingRequests(): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, async (context) => {
      const url = stringMember(context.outside, 'request_uri') ?? stringMember(context.claims, 'request_uri');
      if (url !== undefined) await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      return readKey.read(context);
    }),
  }));
}

function overridable(route: Route): Route {
  return {
    ...route,
    methods: [...route.methods, 'GET'],
    respond: (carrier, call, reply) => {
      if (call.method === 'GET') {
        const isPost = String(call.headers['x-http-method-override']).toUpperCase() === 'POST';
        if (!isPost) refuse('invalid_request', 'the method must be POST', 405);
        call.body = Buffer.from(JSON.stringify(call.query));
        call.headers['content-type'] = 'application/json';
      }
      return route.respond(carrier, call, reply);
    },
  };
}

function forForwardedHost(route: Route | undefined): Route | undefined {
  return (
    route && {
      ...route,
      respond: (carrier, request, reply) => {
        const { 'x-forwarded-host': named, forwarded } = request.headers;
        const host = typeof named === 'string' ? named : /host=([^;,]+)/.exec(forwarded ?? '')?.[1];
        const origin = host === undefined ? carrier.origin : `https://${host}`;
        return route.respond(host === undefined ? carrier : { ...carrier, origin, issuer: origin }, request, reply);
      },
    }
  );
}
