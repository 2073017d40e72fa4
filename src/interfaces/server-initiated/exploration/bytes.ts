import type { Probe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Abilities } from './accepted.ts';
import { type Single, singleProbe } from './single.ts';

type Row = readonly [title: string, difference: JsonObject];

const body = (text: string): JsonObject => ({ text });
const request = (template: string): JsonObject => ({ request: `{{ ${template} }}` });

/** No reading makes a valid request of these (RFC 7515 §7.1, RFC 8259). */
const broken: readonly Row[] = [
  ['A JWS with an empty segment in front', request("concat('.', jws)")],
  ['A JWS with a dot behind it', request("concat(jws, '.')")],
  ['A JWS whose dots are doubled', request("replace(jws, '.', '..')")],
  ['A JWS whose dots are commas', request("replace(jws, '.', ',')")],
  ['A JWS in upper case', request('upper(jws)')],
  ['A JWS in lower case', request('lower(jws)')],
  ['The first 20 characters of a JWS', request('head(jws, 20)')],
  ['The first 200 characters of a JWS', request('head(jws, 200)')],
  ['A JWS with a NUL behind it', request("concat(jws, '\u0000')")],
  ['Three dots', { request: '...' }],
  ['Two dots', { request: '..' }],
  ['Five empty segments', { request: '....' }],
  ['Segments of one character', { request: 'a.a.a' }],
  ['Segments of null', { request: 'bnVsbA.bnVsbA.bnVsbA' }],
  ['Segments of empty objects', { request: 'e30.e30.e30' }],
  ['Segments of lists', { request: 'W10.W10.W10' }],
  ['Segments of numbers', { request: 'MQ.MQ.MQ' }],
  ['A request of a thousand dots', { request: "{{ repeat('.', 1000) }}" }],
  ['A request that is a list with the JWS', { request: ['{{ jws }}'] }],
  ['A request that is an object with the JWS', { request: { jws: '{{ jws }}' } }],
  ['A request that is true', { request: true }],
  ['A request that is 0', { request: 0 }],
  ['No body', body('')],
  ['A body of blanks', body('   ')],
  ['A body that is a NUL', body('\u0000')],
  ['The bare JWS as body', body('{{ jws }}')],
  ['The JWS as a JSON string', body('"{{ jws }}"')],
  ['A list around the body', body('[{"request":"{{ jws }}"}]')],
  ['A body cut before its end', body('{"request":"{{ jws }}"')],
  ['A body with a comma too many', body('{"request":"{{ jws }}",}')],
  ['A body with single quotes', body("{'request':'{{ jws }}'}")],
  ['A body with an unquoted name', body('{request:"{{ jws }}"}')],
  ['A body with a comment', body('{/* */"request":"{{ jws }}"}')],
  ['A body with text behind it', body('{"request":"{{ jws }}"}x')],
  ['Two bodies, one behind the other', body('{"request":"{{ jws }}"}{"request":"{{ jws }}"}')],
  ['A body of deep lists', body("{{ repeat('[', 5000) }}")],
  ['A body of deep objects', body('{{ repeat(\'{"a":\', 3000) }}')],
  ['A member request in upper case', body('{"REQUEST":"{{ jws }}"}')],
  ['A member request with a blank', body('{"request ":"{{ jws }}"}')],
  ['The request one level down', body('{"body":{"request":"{{ jws }}"}}')],
  ['The request in __proto__', body('{"__proto__":{"request":"{{ jws }}"}}')],
  ['A body that is null', body('null')],
  ['A body that is a number', body('1e400')],
  ['A lone surrogate as body', body('"\\ud800"')],
];

/** Whether these are read is open; that they get a response, and what they must not bring, is not. */
const odd: readonly Row[] = [
  ['Blanks around the body', body(' \n{ "request" : "{{ jws }}" }\n ')],
  ['Escapes in the name of the member', body('{"\\u0072equest":"{{ jws }}"}')],
  ['The member twice', body('{"request":"{{ jws }}","request":"x"}')],
  ['The member twice, the second right', body('{"request":"x","request":"{{ jws }}"}')],
  ['A member that is a deep list', { beside: { a: [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]] } }],
  ['A huge number beside', body('{"request":"{{ jws }}","a":1e999999}')],
  ['A number of a thousand digits beside', body('{"request":"{{ jws }}","a":{{ repeat(\'9\', 1000) }}}')],
  ['A name of 10,000 characters beside', body('{"request":"{{ jws }}","{{ repeat(\'a\', 10000) }}":1}')],
  ['An empty name beside', { beside: { '': 1 } }],
  ['A lone surrogate beside', body('{"request":"{{ jws }}","a":"\\ud800"}')],
  ['A byte order mark before the body', body('\ufeff{"request":"{{ jws }}"}')],
  ['A content type without a subtype', { headers: { 'content-type': 'application' } }],
  ['A content type of another kind', { headers: { 'content-type': 'text/plain' } }],
  ['No content type', { headers: { 'content-type': null } }],
  ['An empty content type', { headers: { 'content-type': '' } }],
  ['A content type with a wrong charset', { headers: { 'content-type': 'application/json; charset=utf-7' } }],
  ['A content type with a parameter twice', { headers: { 'content-type': 'application/json; a=1; a=2' } }],
  ['A content type of JSON in another form', { headers: { 'content-type': 'application/vnd.x+json' } }],
  ['A content type of multipart', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ['A content coding that says identity', { headers: { 'content-encoding': 'identity' } }],
  ['A content coding that is not true', { headers: { 'content-encoding': 'gzip' } }],
  ['A very long header field', { headers: { 'x-long': "{{ repeat('a', 6000) }}" } }],
  ['An Expect header field', { headers: { 'x-expect': '100-continue' } }],
  ['An accept-language of rubbish', { headers: { 'accept-language': ';;;q=,' } }],
  ['An accept-encoding that leaves nothing', { headers: { 'accept-encoding': 'identity;q=0, *;q=0' } }],
  ['A cookie of rubbish', { headers: { cookie: '=;=;$' } }],
  ['An Authorization of rubbish', { headers: { authorization: 'Bearer' } }],
  ['A percent sign in the query', { query: { a: '%' } }],
  ['A query parameter request', { query: { request: 'x' } }],
  ['A query parameter __proto__', { query: { __proto: '1' } }],
  ['A claim of rubbish beside the others', { append: '"":null' }],
  ['A claim that is a deep list', { claims: { x: [[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]] } }],
  ['A claim of a thousand members', { raw: { x: "[{{ repeat('0,', 1000) }}0]" } }],
  ['A claim with a lone surrogate', { raw: { x: '"\\ud800"' } }],
  ['A claim whose name is a NUL', { append: '"\\u0000":1' }],
  ['A header member that is a list', { header: { x: [1] } }],
  ['A header member of 5,000 characters', { header: { x: "{{ repeat('a', 5000) }}" } }],
  ['A typ that is a number', { header: { typ: 1 } }],
  ['A cty', { header: { cty: 'JWT' } }],
  ['A kid that is null', { header: { kid: null } }],
  ['A kid of an emoji', { header: { kid: '😀' } }],
];

/** Claims of a type that they never have: each gets a response, and where the type is stated a denial. */
const wrongTypes = ['null', 'true', '0', '1.5', '[]', '{}', '""', '[null]', '{"a":1}', '1e400', '"\\u0000"'];
const claims = [
  'iss',
  'sub',
  'aud',
  'iat',
  'exp',
  'jti',
  'nbf',
  'expires_in',
  'response_type',
  'client_id',
  'redirect_uri',
  'notification_uri',
  'client_notification_token',
  'scope',
  'state',
  'nonce',
  'prompt',
  'options',
  'acr_values',
  'login_hint',
  'login_hint_token',
  'context',
  'correlation_id',
  'referred_binding',
  'sdk_version',
];

const typed: readonly Row[] = claims.flatMap((claim) =>
  wrongTypes.map((text): Row => [`A claim ${claim} that is ${text}`, { raw: { [claim]: text } }]),
);

const single = ([title, difference]: Row, outcome: Single['outcome'], rule: string): Single => ({
  title: outcome === 'denied' ? `${title} is denied` : `${title} gets a response below 500`,
  difference,
  rule,
  outcome,
});

/** Bytes that are no request, or hardly one (§2.1, §4.1): refused or answered, and the next request is accepted. */
export function byteProbes(seed: string, count: number, abilities: Abilities): readonly Probe[] {
  const all = [
    ...broken.map((row) => single(row, 'denied', 'TRN-002')),
    ...[...odd, ...typed].map((row) => single(row, 'answered', 'TRN-015')),
  ];
  return randomOf(`${seed} bytes`)
    .shuffled(all)
    .slice(0, count)
    .map((one) => singleProbe(one, 'bytes', { ...abilities, approve: false }));
}
