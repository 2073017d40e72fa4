import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../../carrier/carrier.ts';
import { authorizeRequest, sendResponse } from '../../carrier/endpoints/signed-requests.ts';
import { bodyBytes, queryParameters } from '../../carrier/http/request.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../carrier/json.ts';
import { type MessageContext, reader } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { markDeep, defineFaults, type Edit, faultTable } from '../edit/fault-table.ts';
import { addMessageCheck, withBuilders, withPipeline, withRoutes } from '../../carrier/seams/definition-parts.ts';
import { failOnObject, failOnRequest, containsValue } from '../edit/requests.ts';

/** Call of a route, with the reply to it. */
interface RouteCall {
  readonly carrier: Carrier;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type RouteAnswer = FastifyReply | Promise<void>;

/** Lets a route answer some calls itself and pass on the others; throws if there is no such route. */
function interceptRoute(name: string, respond: (call: RouteCall, strict: () => RouteAnswer) => RouteAnswer): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    return {
      [name]: {
        ...route,
        respond: (carrier, request, reply) =>
          respond({ carrier, request, reply }, () => route.respond(carrier, request, reply)),
      },
    };
  });
}

/** Error page of a proxy in front of the carrier. */
function sendErrorPage(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).type('text/html').send(`<html><body><h1>${status}</h1></body></html>`);
}

/** Closes the connection without an answer. */
export function cutConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

const textClaims = ['state', 'nonce', 'context', 'correlation_id', 'prompt', 'options', 'acr_values'];

const failOnClaims = (isBad: (claims: JsonObject) => boolean): Edit => failOnObject(({ claims }) => isBad(claims));

/** Claims that cause an internal error. */
const claimFailures = faultTable(failOnClaims, {
  'null-claim-500': [
    'An optional claim that is null is there for the carrier, which asks for its length.',
    'TRN-015',
    (all) => textClaims.some((name) => all[name] === null),
  ],
  'claim-of-33-levels-500': [
    'The logging of claims goes 32 levels deep, and ends in an internal error below.',
    'REQ-087',
    (all) => nestingDepth(all) > 33,
  ],
  'number-beyond-a-double-500': [
    'A number that is too large for a double becomes infinite, which the log cannot write as JSON.',
    'REQ-087',
    (all) => containsValue(all, (value) => typeof value === 'number' && !Number.isFinite(value)),
  ],
  'claim-name-with-a-dot-500': [
    'The claims go to a document store, where a name with a dot or a dollar sign is a path or an operator.',
    'REQ-087',
    (all) => Object.keys(all).some((name) => /[.$]/.test(name)),
  ],
});

const failOnSegments = (isBad: (segments: readonly string[]) => boolean): Edit =>
  failOnRequest((request) => isBad(request.split('.')));

/** Segments of a request object that cause an internal error. */
const segmentFaults = faultTable(failOnSegments, {
  'segment-of-an-impossible-length-500': [
    'The decoder of base64url throws where one character is left over, which no bytes can give.',
    'TRN-002 TRN-015',
    (parts) => parts.length === 3 && parts.some(({ length }) => length % 4 === 1),
  ],
});

const readBodyAs = (change: (text: string) => string): Edit =>
  withPipeline(({ readBody }) => ({
    readBody: reader(readBody.name, (context: MessageContext) =>
      readBody.read({ ...context, bytes: Buffer.from(change(Buffer.from(context.bytes).toString('utf8'))) }),
    ),
  }));

/** Malformed bodies that are read as one JSON object with a request object. */
const lenientBodies = faultTable(readBodyAs, {
  'text-behind-the-body-ignored': [
    'The carrier reads one JSON value from the stream, and never looks at what follows it.',
    'TRN-017',
    (text) => /^\{[^{}]*\}/.exec(text)?.[0] ?? text,
  ],
  'body-in-a-list-unwrapped': [
    'The binding of bodies unwraps a list of one element.',
    'TRN-017',
    (text) => /^\s*\[\s*(\{.*\})\s*\]\s*$/s.exec(text)?.[1] ?? text,
  ],
});

function nestingDepth(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return (
    1 + Math.max(0, ...(isJsonList(value) ? value : Object.values(value)).map((inner: Json) => nestingDepth(inner)))
  );
}

/** A route, the calls that break it, and how it replies to them. */
type RouteBreakage = readonly [
  route: string,
  isBad: (request: FastifyRequest) => boolean,
  become: (reply: FastifyReply) => FastifyReply,
];

/** Gives another reply to the calls of a route that are bad. */
export const breakRoute = ([route, isBad, become]: RouteBreakage): Edit =>
  interceptRoute(route, ({ request, reply }, strict) => (isBad(request) ? become(reply) : strict()));

export const sendInternalError = (reply: FastifyReply): FastifyReply => sendErrorPage(reply, 500);
const requestType = ({ headers }: FastifyRequest): string => headers['content-type'] ?? '';

/** Calls that do not get the carrier's own answer. */
const routeBreakages = faultTable(breakRoute, {
  'empty-body-as-a-page': [
    'A server in front of the carrier answers an empty body, with a page.',
    'TRN-015',
    ['serverInitiated', (request) => bodyBytes(request).length === 0, (reply) => sendErrorPage(reply, 400)],
  ],
  'quoted-charset-500': [
    'The carrier looks the charset up as it is written, and finds no coding of a name in quotation marks.',
    'TRN-009',
    ['serverInitiated', (request) => /charset\s*=\s*"/i.test(requestType(request)), sendInternalError],
  ],
  'charset-utf8-cuts-the-connection': [
    'The reader of bodies knows no charset utf8 without its hyphen, and its error takes the connection along.',
    'TRN-009',
    ['serverInitiated', (request) => /charset\s*=\s*utf8\b/i.test(requestType(request)), cutConnection],
  ],
  'repeated-query-parameter-500': [
    'The carrier takes each parameter of the URL for a text, and a repeated one is a list.',
    'TRN-008 TRN-015',
    ['serverInitiated', (request) => Object.values(queryParameters(request)).some(isJsonList), sendInternalError],
  ],
  'garbled-token-500': [
    'User info reads the header of an access token before it knows that there is one.',
    'SEC-33',
    ['userinfo', ({ headers }) => isGarbled(headers.authorization), sendInternalError],
  ],
});

const otherBreakages = defineFaults({
  'refusals-as-a-page-to-browsers': [
    'Errors go to the error page of the framework, which asks what Accept prefers.',
    'TRN-015 TRN-011',
    interceptRoute('serverInitiated', async ({ carrier, request, reply }) => {
      const response = await authorizeRequest(carrier, request);
      const isPage = response.status >= 400 && (request.headers.accept ?? '').startsWith('text/html');
      await (isPage ? sendErrorPage(reply, response.status) : sendResponse(reply, response));
    }),
  ],
  'next-request-lost-after-a-broken-one': [
    'A long body that is no JSON ends the worker that reads it, and the next request finds none.',
    'FLOW-001',
    (definition) => {
      let isDown = false;
      return interceptRoute('serverInitiated', ({ request, reply }, strict) => {
        const wasDown = isDown;
        const bytes = bodyBytes(request);
        isDown = !wasDown && bytes.length > 1000 && tryParse(bytes.toString('utf8')) === undefined;
        return wasDown ? sendErrorPage(reply, 503) : strict();
      })(definition);
    },
    { stateful: true },
  ],
  'blank-before-the-colon-refused': [
    'A filter in front of the carrier finds the request object by a pattern that knows no blank before the colon.',
    'FLOW-001',
    addMessageCheck('request-is-found', ({ bytes }) => {
      if (/"request"\s+:/.test(Buffer.from(bytes).toString('utf8'))) refuse('invalid_request', 'request is required');
    }),
  ],
  'proto-claim-fills-in': [
    'The carrier copies the claims one by one, so __proto__ brings values for all that are not there.',
    'REQ-087',
    withBuilders(({ claims: strict }) => ({
      claims: (context) => {
        const built = strict(context);
        const proto = Object.entries(built).find(([name]) => name === '__proto__')?.[1];
        return isJsonObject(proto) ? { ...proto, ...built } : built;
      },
    })),
  ],
});

export const robustnessFaults = markDeep('robustness', [
  ...routeBreakages,
  ...otherBreakages,
  ...claimFailures,
  ...segmentFaults,
  ...lenientBodies,
]);

/** Whether a text has three segments and the first is not a JSON object. */
function isGarbled(text = ''): boolean {
  const [head = '', ...rest] = text.replace(/^\w+ /, '').split('.');
  return rest.length === 2 && !isJsonObject(tryParse(Buffer.from(head, 'base64url').toString('utf8')));
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
