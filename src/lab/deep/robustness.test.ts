import type { HttpAnswer, TestSetup } from '../../carrier/testing/setup.ts';
import { robustnessFaults } from './robustness.ts';
import {
  postProbe,
  readCard,
  claimsText,
  type ProbeOptions,
  authReqId,
  proveFaults,
  type ProbeRow,
  sendRaw,
  signProbe,
  signClaimsText,
  status,
} from '../testing/probes.ts';

/** Status and media type, or 'no answer'. */
async function seen(answer: Promise<HttpAnswer>): Promise<string> {
  try {
    const { status, headers } = await answer;
    return `${status} ${String(headers['content-type']).split(';')[0]}`;
  } catch {
    return 'no answer';
  }
}

const raw =
  (body: string, how: ProbeOptions = {}): ProbeRow[0] =>
  (setup) =>
    seen(sendRaw(setup, body, how));

const typed =
  (type: string): ProbeRow[0] =>
  (setup) =>
    seen(postProbe(setup, {}, { fields: { 'content-type': type } }));

function get(setup: TestSetup, path: string, headers: Record<string, string> = {}): Promise<string> {
  return seen(setup.send('GET', `${setup.carrier.origin}${path}`, undefined, headers));
}

const [json, html] = ['application/json', 'text/html'];

const callRows: Readonly<Record<string, ProbeRow>> = {
  'empty-body-as-a-page': [raw(''), `400 ${json}`, `400 ${html}`],
  'quoted-charset-500': [typed('application/json; charset="utf-8"'), `200 ${json}`, `500 ${html}`],
  'charset-utf8-cuts-the-connection': [typed('application/json; charset=utf8'), `200 ${json}`, 'no answer'],
  'repeated-query-parameter-500': [
    (setup) => seen(postProbe(setup, {}, { query: '?a=1&a=2' })),
    `200 ${json}`,
    `500 ${html}`,
  ],
  'garbled-token-500': [
    (setup) => get(setup, '/userinfo', { authorization: 'Bearer abc.def.ghi' }),
    `401 ${json}`,
    `500 ${html}`,
  ],
  'refusals-as-a-page-to-browsers': [
    (setup) => seen(postProbe(setup, { acr_values: 'a9' }, { fields: { accept: 'text/html,*/*' } })),
    `400 ${json}`,
    `400 ${html}`,
  ],
  'next-request-lost-after-a-broken-one': [
    async (setup) => {
      await sendRaw(setup, '{'.repeat(2000));
      return [(await postProbe(setup)).status, (await postProbe(setup)).status];
    },
    [200, 200],
    [503, 200],
  ],
};

/** Status of a request object with this text among its claims. */
const among =
  (text: string): ProbeRow[0] =>
  async (setup) =>
    (await sendRaw(setup, JSON.stringify({ request: signClaimsText(claimsText(setup, text)) }))).status;

/** Status of a body made from the request object. */
const bodyOf =
  (make: (request: string) => string): ProbeRow[0] =>
  async (setup) =>
    (await sendRaw(setup, make(signProbe(setup)))).status;

const request = (text: string): ProbeRow[0] => bodyOf(() => JSON.stringify({ request: text }));

const readingRows: Readonly<Record<string, ProbeRow>> = {
  'null-claim-500': [status({ nonce: null }), 400, 500],
  'claim-of-33-levels-500': [among(`"x_deep":${'['.repeat(40)}${']'.repeat(40)}`), 200, 500],
  'number-beyond-a-double-500': [among('"x_large":1e999'), 200, 500],
  'claim-name-with-a-dot-500': [status({ 'https://sp.test/tier': 'gold' }), 200, 500],
  'segment-of-an-impossible-length-500': [request('eyJhb.eyJ9.c2ln'), 400, 500],
  'text-behind-the-body-ignored': [bodyOf((jws) => `{"request":"${jws}"}{"request":"x"}`), 400, 200],
  'body-in-a-list-unwrapped': [bodyOf((jws) => `[{"request":"${jws}"}]`), 400, 200],
  'blank-before-the-colon-refused': [bodyOf((jws) => `{\n  "request" : "${jws}"\n}`), 200, 400],
  'proto-claim-fills-in': [
    async (setup) => {
      const text = claimsText(setup, '"__proto__":{"acr_values":"a1"}');
      const answer = await sendRaw(setup, JSON.stringify({ request: signClaimsText(text) }));
      return (await readCard(setup, authReqId(answer)))['authentication'];
    },
    'full',
    'none',
  ],
};

proveFaults(robustnessFaults, { ...callRows, ...readingRows });
