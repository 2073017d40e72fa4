import { expect, test } from 'vitest';
import type { Json } from '../../../lib/json.ts';
import { buildResponse, buildSilence, buildTokens } from '../../../testing/parts/observations.ts';
import type { Judgeable, ResponseObservation } from '../../../judge/observation.ts';
import { checkMessage } from '../../../testing/parts/named-checks.ts';

const url = 'https://op.carrier.test/v1/usertrait';
const said = (sim_tenure: Json, parts: Partial<ResponseObservation> = {}) =>
  buildResponse({ url, body: { sim_tenure }, ...parts });
const refused = (status: number, body: Json = { error: 'access_denied' }) => buildResponse({ url, status, body });

test.each<readonly [name: string, conforms: readonly Judgeable[]]>([
  ['tenure-true', [said('true'), buildTokens()]],
  ['tenure-withheld', [refused(400), refused(403), said('error')]],
  [
    'no-tenure',
    [refused(400), refused(403, { error: 'access_denied', sim_tenure: 'error' }), refused(401, { sim_tenure: null })],
  ],
  [
    'tenure-undetermined',
    [said('error'), refused(422), refused(503), refused(200, { error: 'unknown', sim_tenure: null })],
  ],
  ['tenure-only-in-success', [said('true'), refused(401), refused(403, { sim_tenure: 'error' })]],
  ['tenure-answer-form', [said('true'), refused(400, 'no'), buildSilence('timeout'), refused(200)]],
  ['tenure-value', [said('true'), said('false'), said('error'), refused(400, { sim_tenure: 7 })]],
  ['usertrait-path', [said('true'), said('true', { url: 'https://op.carrier.test/trust/v1/usertrait?a=b' })]],
  ['usertrait-endpoint-published', [buildResponse({ body: { usertraits_uri: url } })]],
])('%s finds nothing where the carrier conforms', (name, conforms) => {
  for (const observation of conforms) expect(checkMessage(name, observation)).toEqual([]);
});

test.each<readonly [name: string, what: string, observation: Judgeable, actual: unknown]>([
  ['tenure-true', 'the opposite', said('false'), 'false'],
  ['tenure-true', 'a tenure in a refusal', refused(403, { sim_tenure: 'true' }), 'denied 403'],
  ['tenure-false', 'the opposite', said('true'), 'true'],
  ['tenure-withheld', 'a tenure in a refusal', refused(403, { sim_tenure: 'true' }), 'denied 403, sim_tenure "true"'],
  ['no-tenure', 'a tenure in a refusal', refused(403, { sim_tenure: 'false' }), 'false'],
  ['no-tenure', 'a tenure of another type', refused(403, { sim_tenure: true }), true],
  ['tenure-withheld', 'a server error', refused(500), 'denied 500 access_denied'],
  ['tenure-undetermined', 'an error that is no JSON', refused(503, 'sorry'), 'denied 503'],
  ['tenure-only-in-success', 'a tenure', refused(403, { sim_tenure: 'false' }), 'false'],
  ['tenure-answer-form', 'another status', said('true', { status: 202 }), 202],
  ['tenure-answer-form', 'another type', said('true', { headers: { 'content-type': 'text/plain' } }), 'text/plain'],
  ['tenure-answer-form', 'another member', buildResponse({ body: { value: 'true' } }), { value: 'true' }],
  ['tenure-value', 'another word', said('yes'), 'yes'],
  ['usertrait-path', 'another path', said('true', { url: 'https://op.carrier.test/usertrait' }), '/usertrait'],
  ['usertrait-endpoint-published', 'no key', buildResponse({ body: {} }), null],
  [
    'usertrait-endpoint-published',
    'no URL',
    buildResponse({ body: { usertrait_endpoint: '/v1/usertrait' } }),
    { usertrait_endpoint: '/v1/usertrait' },
  ],
])('%s finds %s', (name, _, observation, actual) =>
  expect(checkMessage(name, observation)).toEqual([expect.objectContaining({ actual })]),
);

test('a JSON boolean breaks only the aspect', () => {
  expect(checkMessage('tenure-value', said(true))).toEqual([
    { aspect: 'boolean', path: 'body.sim_tenure', expected: 'the string true, false or error', actual: true },
  ]);
});
