import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAnswer, openSetup, type TestSetup, signText, textMember, uniqueText } from '../testing/setup.ts';

let setup: TestSetup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup.close());

const json = { 'content-type': 'application/json' };
const raw = (body: string | Buffer, headers: Record<string, string> = json, query = ''): Promise<HttpAnswer> =>
  setup.send('POST', `${setup.carrier.origin}/bc-authorize${query}`, body, headers);
const fresh = (more = {}): string => setup.sign(setup.claims(more));
const header = '{"typ":"JWT","alg":"RS256","kid":"conftestkey01"}';

async function expectRefusal(answer: HttpAnswer, error: string, status = 400): Promise<void> {
  expect({ status: answer.status, error: answer.body['error'] }).toEqual({ status, error });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(textMember(answer.body, 'error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  const { body } = await setup.admin('GET', `/phone?login_hint=${setup.sub('third')}`);
  expect(body).toEqual({ cards: [] });
}

test('a BOM, duplicate members and bytes that are not UTF-8 spoil a good request', async () => {
  const request = JSON.stringify(fresh());
  await expectRefusal(await raw(`\ufeff{"request":${request}}`), 'invalid_request');
  await expectRefusal(await raw(`{"request":${request},"request":${request}}`), 'invalid_request');
  await expectRefusal(await raw(`{"request":${request},"x":{"a":1,"\\u0061":2}}`), 'invalid_request');
  await expectRefusal(
    await raw(Buffer.concat([Buffer.from(`{"request":${request},"x":"`), Buffer.from([0xff]), Buffer.from('"}')])),
    'invalid_request',
  );
  await expectRefusal(
    await raw(`{"request":${request},"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    'invalid_request',
  );
  expect((await raw(`{"request":${request},"x":{"a":1,"b":[{"a":2},{"a":3}]}}`)).status).toBe(200);
});

test('the request object is one compact JWS in strict base64url', async () => {
  const [head = '', payload = '', signature = ''] = fresh().split('.');
  const broken = [
    `${head}.${payload}`,
    `${head}.${payload}.`,
    `${head}.${payload}.${signature}.`,
    `${head}.${payload}.${signature}${head}.${payload}.${signature}`,
    `${head}.${payload}=.${signature}`,
    `${head}.${payload}.${signature} `,
    `${head}.${payload}.${signature.slice(0, -4)}`,
    `${head}.${payload}.${signature.slice(0, -1)}${signature.endsWith('B') ? 'C' : 'B'}`,
    `${head}..${signature}`,
    `${head}.${payload}.${Buffer.alloc(256).toString('base64url')}`,
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
  ];
  for (const request of broken) await expectRefusal(await setup.post({ request }), 'invalid_request_object');
});

test('header and claims are JSON objects without duplicate names or unpaired surrogates', async () => {
  const claims = JSON.stringify(setup.claims());
  const members = claims.slice(0, -1);
  const bad: [string, string][] = [
    [header, `${members},"client_id":"ccid-conftestclient01"}`],
    [`${header.slice(0, -1)},"alg":"RS256"}`, claims],
    [header, `${members},"x":"\\ud800"}`],
    [header, `\ufeff${claims}`],
    [header, `${claims}{}`],
    [header, '[]'],
    ['null', claims],
    [header, `${members},"x":${'['.repeat(100)}${']'.repeat(100)}}`],
  ];
  for (const [first, second] of bad) {
    await expectRefusal(await setup.post({ request: signText(first, second, 'main') }), 'invalid_request_object');
  }
  expect((await setup.post({ request: signText(header, `${members},"x":"\\ud83d\\ude00"}`, 'main') })).status).toBe(
    200,
  );
});

test('a body above 256 kB is read to its end and refused', async () => {
  for (const size of [1_000_000, 10_000_000]) {
    await expectRefusal(await raw(`{"x":"${'x'.repeat(size)}"}`), 'invalid_request', 400);
  }
});

test('a jti is taken once within 5 minutes, and so are the same signed claims without one', async () => {
  const jti = uniqueText();
  const claims = setup.claims({ jti: undefined });
  expect((await setup.authorize({ jti })).status).toBe(200);
  expect((await setup.post({ request: setup.sign(claims) })).status).toBe(200);
  expect((await setup.post({ request: setup.sign(claims) })).body['error']).toBe('invalid_request');
  const other = { client_id: 'ccid-conftestclient03', login_hint: setup.sub('first', 'two-keys'), jti };
  expect((await setup.authorize(other, { key: 'ec' })).status).toBe(200);
  await setup.move(300);
  expect((await setup.authorize({ jti })).body['error_description']).toBe('the request object was sent before');
  await setup.move(1);
  expect((await setup.authorize({ jti })).status).toBe(200);
});

test('of 20 copies at once one is taken', async () => {
  const request = fresh();
  const answers = await Promise.all(Array.from({ length: 20 }, () => setup.post({ request })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
});

test('a refused request object does not use up its jti', async () => {
  const jti = uniqueText();
  expect((await setup.authorize({ jti, acr_values: 'a9' })).status).toBe(400);
  expect((await setup.authorize({ jti })).status).toBe(200);
});
