import { cardOf, claimsText, type Row, sendRaw, signed, signedText, status } from './probes.ts';

/** The status of a request object with this text among its claims. */
const among =
  (text: string): Row[0] =>
  async (setup) =>
    (await sendRaw(setup, JSON.stringify({ request: signedText(claimsText(setup, text)) }))).status;

/** The status of a body that is made of the request object. */
const bodyOf =
  (make: (request: string) => string): Row[0] =>
  async (setup) =>
    (await sendRaw(setup, make(signed(setup)))).status;

const request = (text: string): Row[0] => bodyOf(() => JSON.stringify({ request: text }));

/** By name of the fault: what is seen, without the fault and with it. */
export const readingRows: Readonly<Record<string, Row>> = {
  'null-claim-500': [status({ nonce: null }), 400, 500],
  'list-for-words-500': [status({ scope: ['openid', 'name'] }), 400, 500],
  'claim-of-33-levels-500': [among(`"x_deep":${'['.repeat(40)}${']'.repeat(40)}`), 200, 500],
  'number-beyond-a-double-500': [among('"x_large":1e999'), 200, 500],
  'claim-name-with-a-dot-500': [status({ 'https://sp.test/tier': 'gold' }), 200, 500],
  'claim-without-a-name-500': [status({ '': 1 }), 200, 500],
  'astral-unknown-claim-500': [status({ x_label: 'paid 😀' }), 200, 500],
  'sdk-version-number-500': [status({ sdk_version: 12 }), 200, 500],
  'hint-token-with-empty-parts-500': [status({ login_hint_token: 'eyJhbGciOiJkaXIifQ..a.b.c' }), 400, 500],
  'segment-of-an-impossible-length-500': [request('eyJhb.eyJ9.c2ln'), 400, 500],
  'segment-without-content-500': [request('.e30.c2ln'), 400, 500],
  'claims-that-are-no-object-500': [request('eyJhbGciOiJSUzI1NiJ9.bnVsbA.c2ln'), 400, 500],
  'text-behind-the-body-ignored': [bodyOf((jws) => `{"request":"${jws}"}{"request":"x"}`), 400, 200],
  'body-in-a-list-unwrapped': [bodyOf((jws) => `[{"request":"${jws}"}]`), 400, 200],
  'comma-at-the-end-of-the-body-ignored': [bodyOf((jws) => `{"request":"${jws}",}`), 400, 200],
  'body-in-single-quotes-read': [bodyOf((jws) => `{'request':'${jws}'}`), 400, 200],
  'request-in-a-list-unwrapped': [bodyOf((jws) => JSON.stringify({ request: [jws] })), 400, 200],
  'dot-behind-the-request-object-ignored': [bodyOf((jws) => JSON.stringify({ request: `${jws}.` })), 400, 200],
  'blank-before-the-colon-refused': [bodyOf((jws) => `{\n  "request" : "${jws}"\n}`), 200, 400],
  'proto-claim-fills-in': [
    async (setup) => {
      const text = claimsText(setup, '"__proto__":{"acr_values":"a1"}');
      const answer = await sendRaw(setup, JSON.stringify({ request: signedText(text) }));
      return (await cardOf(setup, answer))['authentication'];
    },
    'full',
    'none',
  ],
};
