import type { FastifyReply, FastifyRequest } from 'fastify';
import { respondTo, write } from '../../endpoints/signed-requests.ts';
import { bytesOf, mediaType, queryOf } from '../../http/request.ts';
import { isJsonList, isJsonObject } from '../../json.ts';
import type { Edit } from '../edit/define.ts';
import { answering, cut, page } from './answers.ts';
import { type DeepFault, deepTable, defineDeep } from './define.ts';
import { robustReadingFaults } from './robustness-reading.ts';

/** A route, the calls that it cannot bear, and what becomes of them. */
type Broken = readonly [
  route: string,
  isBad: (request: FastifyRequest) => boolean,
  become: (reply: FastifyReply) => FastifyReply,
];

const breaking = ([route, isBad, become]: Broken): Edit =>
  answering(route, ({ request, reply }, strict) => (isBad(request) ? become(reply) : strict()));

const with500 = (reply: FastifyReply): FastifyReply => page(reply, 500);
const typeOf = ({ headers }: FastifyRequest): string => headers['content-type'] ?? '';

/** Calls that get no answer of the carrier's own. */
const broken = deepTable('robustness', breaking, {
  'empty-body-as-a-page': [
    'A server in front of the carrier answers an empty body, with a page.',
    'TRN-015',
    ['serverInitiated', (request) => bytesOf(request).length === 0, (reply) => page(reply, 400)],
  ],
  'form-with-files-as-a-page': [
    'A server in front of the carrier looks into multipart forms, and answers them with a page.',
    'TRN-015',
    ['serverInitiated', (request) => mediaType(typeOf(request)).startsWith('multipart/'), (reply) => page(reply, 415)],
  ],
  'quoted-charset-500': [
    'The carrier looks the charset up as it is written, and finds no coding of a name in quotation marks.',
    'TRN-009',
    ['serverInitiated', (request) => /charset\s*=\s*"/i.test(typeOf(request)), with500],
  ],
  'charset-utf8-cuts-the-connection': [
    'The reader of bodies knows no charset utf8 without its hyphen, and its error takes the connection along.',
    'TRN-009',
    ['serverInitiated', (request) => /charset\s*=\s*utf8\b/i.test(typeOf(request)), cut],
  ],
  'repeated-query-parameter-500': [
    'The carrier takes each parameter of the URL for a text, and a repeated one is a list.',
    'TRN-008 TRN-015',
    ['serverInitiated', (request) => Object.values(queryOf(request)).some(isJsonList), with500],
  ],
  'discovery-repeated-parameter-500': [
    'The key of the configuration cache is made of texts, and a repeated parameter is a list.',
    'DSC-013',
    ['configuration', (request) => Object.values(queryOf(request)).some(isJsonList), with500],
  ],
  'garbled-token-500': [
    'User info reads the header of an access token before it knows that there is one.',
    'SEC-33',
    ['userinfo', ({ headers }) => isGarbled(headers.authorization), with500],
  ],
  'garbled-proof-500': [
    'The SIM query reads the header of a proof before it knows that there is one.',
    'UT-007',
    ['usertrait', ({ headers }) => isGarbled(String(headers['x-authorization'] ?? '')), with500],
  ],
  'trait-body-null-500': [
    'The SIM query looks for client_id in whatever JSON comes, null among it.',
    'UT-008',
    ['usertrait', (request) => bytesOf(request).toString('utf8').trim() === 'null', with500],
  ],
  'empty-assertion-500': [
    'The token endpoint splits a client_assertion that is there, and an empty one has no parts.',
    'TOK-001',
    ['token', (request) => /(?:^|&)client_assertion=(?:&|$)/.test(bytesOf(request).toString('utf8')), with500],
  ],
});

const others = defineDeep('robustness', {
  'refusals-as-a-page-to-browsers': [
    'Errors go to the error page of the framework, which asks what Accept prefers.',
    'TRN-015 TRN-011',
    answering('serverInitiated', async ({ carrier, request, reply }) => {
      const response = await respondTo(carrier, request);
      const isPage = response.status >= 400 && (request.headers.accept ?? '').startsWith('text/html');
      await (isPage ? page(reply, response.status) : write(reply, response));
    }),
  ],
  'next-request-lost-after-a-broken-one': [
    'A long body that is no JSON ends the worker that reads it, and the next request finds none.',
    'FLOW-001',
    (definition) => {
      let isDown = false;
      return answering('serverInitiated', ({ request, reply }, strict) => {
        const wasDown = isDown;
        const bytes = bytesOf(request);
        isDown = !wasDown && bytes.length > 1000 && parsed(bytes.toString('utf8')) === undefined;
        return wasDown ? page(reply, 503) : strict();
      })(definition);
    },
    { stateful: true },
  ],
});

export const robustnessFaults: readonly DeepFault[] = [...broken, ...others, ...robustReadingFaults];

/** Three segments with dots between them, the first of which is no JSON object. */
function isGarbled(text = ''): boolean {
  const [head = '', ...rest] = text.replace(/^\w+ /, '').split('.');
  return rest.length === 2 && !isJsonObject(parsed(Buffer.from(head, 'base64url').toString('utf8')));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
