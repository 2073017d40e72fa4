import { parties, postForm } from '../../../testing/calls.ts';
import type { Answer, Setup } from '../../../testing/setup.ts';
import { ask, type How, type Row, sendRaw } from './probes.ts';

/** Status and media type, or that there was no answer. */
async function seen(answer: Promise<Answer>): Promise<string> {
  try {
    const { status, headers } = await answer;
    return `${status} ${String(headers['content-type']).split(';')[0]}`;
  } catch {
    return 'no answer';
  }
}

const raw =
  (body: string, how: How = {}): Row[0] =>
  (setup) =>
    seen(sendRaw(setup, body, how));

const typed =
  (type: string): Row[0] =>
  (setup) =>
    seen(ask(setup, {}, { fields: { 'content-type': type } }));

function get(setup: Setup, path: string, headers: Record<string, string> = {}): Promise<string> {
  return seen(setup.send('GET', `${setup.carrier.origin}${path}`, undefined, headers));
}

function askTenure(setup: Setup, body: string, proof: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-authorization': proof };
  return seen(setup.send('POST', `${setup.carrier.origin}/v1/usertrait`, body, headers));
}

const discovery = `/.well-known/openid_configuration?client_id=${parties.main.id}&mccmnc=001010`;
const [json, html] = ['application/json', 'text/html'];

/** By name of the fault: what is seen, without the fault and with it. */
export const callRows: Readonly<Record<string, Row>> = {
  'empty-body-as-a-page': [raw(''), `400 ${json}`, `400 ${html}`],
  'form-with-files-as-a-page': [
    raw('--x\r\n\r\n--x--', { fields: { 'content-type': 'multipart/form-data; boundary=x' } }),
    `415 ${json}`,
    `415 ${html}`,
  ],
  'quoted-charset-500': [typed('application/json; charset="utf-8"'), `200 ${json}`, `500 ${html}`],
  'charset-utf8-cuts-the-connection': [typed('application/json; charset=utf8'), `200 ${json}`, 'no answer'],
  'repeated-query-parameter-500': [
    (setup) => seen(ask(setup, {}, { query: '?a=1&a=2' })),
    `200 ${json}`,
    `500 ${html}`,
  ],
  'discovery-repeated-parameter-500': [(setup) => get(setup, `${discovery}&x=1&x=2`), `200 ${json}`, `500 ${html}`],
  'garbled-token-500': [
    (setup) => get(setup, '/userinfo', { authorization: 'Bearer abc.def.ghi' }),
    `401 ${json}`,
    `500 ${html}`,
  ],
  'garbled-proof-500': [
    (setup) => askTenure(setup, `{"client_id":"${parties.main.id}"}`, 'abc.def.ghi'),
    `401 ${json}`,
    `500 ${html}`,
  ],
  'trait-body-null-500': [(setup) => askTenure(setup, 'null', 'abc'), `400 ${json}`, `500 ${html}`],
  'empty-assertion-500': [
    (setup) => {
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      const call = { grant_type: 'authorization_code', code: 'x', client_assertion_type: type, client_assertion: '' };
      return seen(postForm(setup, '/token', call));
    },
    `401 ${json}`,
    `500 ${html}`,
  ],
  'refusals-as-a-page-to-browsers': [
    (setup) => seen(ask(setup, { acr_values: 'a9' }, { fields: { accept: 'text/html,*/*' } })),
    `400 ${json}`,
    `400 ${html}`,
  ],
  'next-request-lost-after-a-broken-one': [
    async (setup) => {
      await sendRaw(setup, '{'.repeat(2000));
      return [(await ask(setup)).status, (await ask(setup)).status];
    },
    [200, 200],
    [503, 200],
  ],
};
