import type { JsonObject } from '../../../lib/json.ts';

export type Row = readonly [title: string, difference: JsonObject];

const body = (text: string): JsonObject => ({ text });
const request = (template: string): JsonObject => ({ request: `{{ ${template} }}` });

/** No reading makes a valid request of these (RFC 7515 §7.1, RFC 8259). */
export const broken: readonly Row[] = [
  ['A JWS with an empty segment in front', request("concat('.', jws)")],
  ['A JWS with a dot behind it', request("concat(jws, '.')")],
  ['A JWS whose dots are doubled', request("replace(jws, '.', '..')")],
  ['A JWS whose dots are commas', request("replace(jws, '.', ',')")],
  ['A JWS in upper case', request('upper(jws)')],
  ['A JWS in lower case', request('lower(jws)')],
  ['The first 20 characters of a JWS', request('head(jws, 20)')],
  ['The first 200 characters of a JWS', request('head(jws, 200)')],
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
  ['A JWS with a segment of 5 characters', { request: '{{ jws }}A' }],
  ['A JWS whose header is cut to 5 characters', request("concat(head(jws, 5), '.', jws)")],
  ['No body', body('')],
  ['A body of blanks', body('   ')],
  ['The JWS as a JSON string', body('"{{ jws }}"')],
  ['A list around the body', body('[{"request":"{{ jws }}"}]')],
  ['The request one level down', body('{"body":{"request":"{{ jws }}"}}')],
  ['The request in __proto__', body('{"__proto__":{"request":"{{ jws }}"}}')],
  ['A body that is null', body('null')],
  ['A body that is a number', body('1e400')],
];

/** Neither are these; what stands in front of a carrier may refuse them in its own words (C1.21). */
export const unread: readonly Row[] = [
  ['A JWS with a NUL behind it', request("concat(jws, '\u0000')")],
  ['A body that is a NUL', body('\u0000')],
  ['The bare JWS as body', body('{{ jws }}')],
  ['A body cut before its end', body('{"request":"{{ jws }}"')],
  ['A body of deep lists', body("{{ repeat('[', 5000) }}")],
  ['A body of deep objects', body('{{ repeat(\'{"a":\', 3000) }}')],
  ['A lone surrogate as body', body('"\\ud800"')],
];

/** No JSON object with a member request, and yet read as one by parsers that take more than JSON (RFC 8259 §9). */
export const lenient: readonly Row[] = [
  ['A body with a comma too many', body('{"request":"{{ jws }}",}')],
  ['A body with single quotes', body("{'request':'{{ jws }}'}")],
  ['A body with an unquoted name', body('{request:"{{ jws }}"}')],
  ['A body with a comment', body('{/* */"request":"{{ jws }}"}')],
  ['A body with text behind it', body('{"request":"{{ jws }}"}x')],
  ['Two bodies, one behind the other', body('{"request":"{{ jws }}"}{"request":"{{ jws }}"}')],
  ['A member request in upper case', body('{"REQUEST":"{{ jws }}"}')],
  ['A member request with a blank', body('{"request ":"{{ jws }}"}')],
];

/** JSON allows all of it (RFC 8259 §2, §7), and §9.5 has what is unknown ignored: these are accepted. */
export const fine: readonly Row[] = [
  ['Blanks around the body', body(' \n{ "request" : "{{ jws }}" }\n ')],
  ['Escapes in the name of the member', body('{"\\u0072equest":"{{ jws }}"}')],
  ['A blank before the colon', body('{"request" :"{{ jws }}"}')],
  ['Blanks around the colon', body('{ "request" : "{{ jws }}" }')],
  ['A claim whose name is an emoji', { claims: { '😀': 1 } }],
  ['A claim that is an emoji', { claims: { x: '😀😀' } }],
  ['Line feeds between the members', body('{\n\t"request"\t:\r\n"{{ jws }}"\n}')],
  ['An escaped slash beside', body('{"request":"{{ jws }}","x_a":"\\/"}')],
  ['The member behind others', body('{"x_a":{"request":"x"},"x_b":["request"],"request":"{{ jws }}"}')],
  ['A claim x_a of every type', { append: '"x_a":[null,true,1.5,"a",{"b":[]}]' }],
];

/** Claims that a carrier that copies members one by one takes for those that are not there: they are unknown, and ignored (§9.5). */
export const inherited: readonly Row[] = ['__proto__', 'constructor', 'prototype'].map((name) => [
  `A claim ${name} with claims that are not there`,
  {
    drop: ['state', 'nonce', 'context', 'correlation_id'],
    append: `"${name}":{"state":"x","nonce":"x","context":"Not-asked-for","prompt":"none","options":"dark","acr_values":"a9"}`,
  },
]);

/** Whether these are read is open; that they get a response, and what they must not bring, is not. */
export const odd: readonly Row[] = [
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
  ['A charset utf8', { headers: { 'content-type': 'application/json; charset=utf8' } }],
  ['A body in chunks', { writing: 'in-chunks' }],
  ['A percent sign in the query', { query: { a: '%' } }],
  ['A query parameter request', { query: { request: 'x' } }],
  ['A query parameter twice', { query: { a: ['1', '2'] } }],
  ['The query parameter request twice', { query: { request: ['x', 'y'] } }],
  ['A query parameter __proto__', { query: { __proto: '1' } }],
  ['A claim of rubbish beside the others', { append: '"":null' }],
  ['A claim that is 40 lists deep', { raw: { x: "{{ repeat('[', 40) }}{{ repeat(']', 40) }}" } }],
  ['A claim __proto__', { append: '"__proto__":{"acr_values":"a9","state":"x"}' }],
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

const hinted = (token: string): JsonObject => ({ drop: ['login_hint'], claims: { login_hint_token: token } });

/** Tokens that nobody issued, of the form that they have (§2.3 login_hint_token, RFC 7516 §7.1) and of others. */
export const hints: readonly Row[] = [
  ['A login_hint_token of four dots', hinted('....')],
  ['A login_hint_token of five letters', hinted('a.b.c.d.e')],
  ['A login_hint_token of six segments', hinted('e30.e30.e30.e30.e30.e30')],
  ['A login_hint_token of four segments', hinted('e30.e30.e30.e30')],
  ['A login_hint_token of empty objects', hinted('e30.e30.e30.e30.e30')],
  ['A login_hint_token whose header is null', hinted('bnVsbA.e30.e30.e30.e30')],
  ['A login_hint_token with alg dir and no key', hinted('eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..e30.e30.e30')],
  ['A login_hint_token with alg none', hinted('eyJhbGciOiJub25lIn0.e30.')],
  ['A login_hint_token of blanks', hinted('   ')],
  ['A login_hint_token of 20,000 characters', hinted("{{ repeat('a', 20000) }}")],
  ['A login_hint_token with a NUL', hinted('e30.e30.e30.e30.e30\u0000')],
  ['A login_hint_token that is a subscriber id', hinted('{{ subscriber.sub }}')],
];
