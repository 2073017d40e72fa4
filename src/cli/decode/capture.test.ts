import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson, valueAt } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { writeFolder } from '../../testing/program/target-file.ts';

const body = '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}';
const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', 'Cache-Control: no-store', ''];
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${part({ alg: 'RS256', kid: 'k1' })}.${part({ response_type: 'async_token', correlation_id: 'conf-1' })}.c2ln`;

async function decode(text: string, ...flags: readonly string[]) {
  const cwd = writeFolder({ given: text });
  return runCli(['decode', 'given', ...flags], { cwd });
}

async function decodeJson(text: string): Promise<JsonObject> {
  const { stdout, stderr } = await decode(text, '--json');
  const value = parseJson(stdout);
  if (!isJsonObject(value)) throw new Error(stderr);
  return value;
}

const har = (...entries: readonly Json[]): string => JSON.stringify({ log: { version: '1.2', entries } });

const fields = (lines: Readonly<Record<string, string>>) =>
  Object.entries(lines).map(([name, value]) => ({ name, value }));

const entry = (response: JsonObject = {}, request: JsonObject = {}): Json => ({
  request: { method: 'POST', url: 'https://op.carrier.test/bc-authorize', headers: [], ...request },
  response: {
    status: 200,
    headers: fields({ 'content-type': 'application/json', 'cache-control': 'no-store' }),
    content: { mimeType: 'application/json', text: body },
    ...response,
  },
});

describe('an HTTP message', () => {
  test('a response: its body is decoded, its head judged', async () => {
    const good = await decode([...head, body].join('\r\n'));
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toMatch(/^HTTP messages: 1 exchange\n\n#1 {2}200\n/);
    expect(good.stdout).toMatch(/^response to a server-initiated request \(§2\.4\)$/m);
    const bad = await decode(`HTTP/2 200\nContent-Type: text/html\n\n${body}`);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/^ {2}RSP-001 +required: headers\.content-type should be application\/json/m);
  });

  test('as an argument, and with a request before it', async () => {
    const request = `POST /bc-authorize HTTP/1.1\nHost: op.carrier.test\nContent-Type: application/json\n\n${JSON.stringify({ request: token })}`;
    const { code, stdout } = await runCli(['decode', `${request}\n${head.join('\n')}\n${body}`]);
    expect(stdout).toMatch(/^#1 {2}POST https:\/\/op\.carrier\.test\/bc-authorize {2}200$/m);
    expect(stdout).toMatch(/^in request: request object/m);
    expect(stdout).toMatch(/^ {2}RSP-002 +required: body\.correlation_id/m);
    expect(code).toBe(1);
  });

  test('a delivery to an SP, with its head', async () => {
    const { code, stdout } = await decode(
      `POST /notify HTTP/1.1\nContent-Type: application/json\n\n${body.replace('expires_in', 'access_token')}`,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^callback body \(§2\.6\)$/m);
    expect(stdout).toMatch(/^ {2}CB-003 +\w+: headers\.cache-control should be no-cache/m);
  });

  test('a form, an interim response, and a body that goes on after its length', async () => {
    const form = `request=${token}&client_secret=hunter2`;
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const text = `POST /token HTTP/1.1\n${type}\n\n${form}\nHTTP/1.1 100 Continue\n\n${head.slice(0, -1).join('\n')}\nContent-Length: ${body.length}\n\n${body}$ whoami`;
    const shown = await decodeJson(text);
    expect(shown).toMatchObject({
      type: 'http',
      exchanges: [
        {
          notes: ['an interim response 100 came before'],
          request: { message: { type: 'carrier-of-one', inside: [{ member: 'request', type: 'request-object' }] } },
          response: { status: 200, message: { type: 'response' } },
        },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain('hunter2');
  });
});

test('what curl -v writes is refused, with the form that is read', async () => {
  const { code, stderr } = await decode('> GET /jwks HTTP/1.1\n> \n< HTTP/1.1 200 OK\n< \n{"keys":[]}');
  expect(code).toBe(2);
  expect(stderr).toContain('nor HTTP messages with their heads (as curl -i writes them)');
});

describe('a request that is no POST of JSON with a request object', () => {
  const bad = '{"auth_req_id":"123325325352"}';
  const asked = (method: string, type: string, sent: string, came = bad, status = '200 OK') =>
    [
      `${method} /bc-authorize HTTP/1.1`,
      `Content-Type: ${type}`,
      '',
      sent,
      `HTTP/1.1 ${status}`,
      ...head.slice(1),
      came,
    ].join('\n');
  const form = 'application/x-www-form-urlencoded';
  const json = 'application/json';

  test.each([
    ['a form (§2.1)', asked('POST', form, `request=${token}`), 'a request object in a form: §2.1 names it as'],
    ['JSON without request', asked('POST', json, '{"scope":"openid"}'), 'JSON without a request object (§2.1)'],
    ['GET', asked('GET', json, ''), 'GET: a server-initiated request is a POST (§4.1)'],
  ])('%s is named, and an auth_req_id out of its pattern is RSP-003', async (_, text, named) => {
    const { code, stdout } = await decode(text);
    expect(stdout).toContain(`request, ${named}`);
    expect(stdout).toMatch(/^ {2}RSP-003 +required: body\.auth_req_id/m);
    expect(code).toBe(1);
  });

  test('the refusal of a form is judged where it has the status of §2.5', async () => {
    const { code, stdout } = await decode(asked('POST', form, `request=${token}`, '{"error":5}', '400 Bad Request'));
    expect(stdout).toMatch(/^ {2}ERR-002 +required: body\.error/m);
    expect(code).toBe(1);
    const other = await decode(asked('POST', form, `request=${token}`, '{"error":"x"}', '415 Unsupported'));
    expect(other.stdout).not.toMatch(/TRN-015|ERR-002/);
  });

  test('of a refusal that may be of another endpoint the rules that were not judged are named', async () => {
    const { code, stdout } = await decode(asked('GET', json, '', '{"error":5}', '400 Bad Request'));
    expect(stdout).toMatch(/^no rule can judge this message alone$/m);
    expect(stdout).toMatch(
      /^not judged without a request object in the request that it answers: ERR-001\.\.002, ERR-004, [\s\S]*TRN-015$/m,
    );
    expect(code).toBe(0);
  });

  test('a cancellation names the auth_req_id itself: its response is none of §2.4', async () => {
    const { code } = await decode(asked('POST', json, '{"auth_req_id":"123325325352"}'));
    expect(code).toBe(0);
  });
});

test('what a mail made of a text: a paste that is indented', async () => {
  const given = [...head, body].map((line) => `    ${line}`).join('\r\n');
  expect(await decodeJson(given)).toMatchObject({
    exchanges: [
      {
        response: {
          headers: [
            ['Content-Type', 'application/json'],
            ['Cache-Control', 'no-store'],
          ],
        },
      },
    ],
  });
  expect((await runCli(['decode', given])).code).toBe(0);
});

describe('a HAR', () => {
  test('each entry, and 1 where one breaks a required rule', async () => {
    const html = entry({ content: { mimeType: 'text/html', text: '<html>' }, headers: [] }, { method: 'GET' });
    const wrong = entry({ content: { text: body.replace('ccid-', 'x-') } });
    const base64 = entry({ content: { encoding: 'base64', text: Buffer.from(body).toString('base64') } });
    const { code, stdout } = await decode(har(html, wrong, base64, 7));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^HAR: 4 exchanges\n/);
    expect(stdout).toMatch(/^#1 {2}GET https:\/\/op\.carrier\.test\/bc-authorize {2}200\n/m);
    expect(stdout).toMatch(/^#4 {2}no response\n {2}it is no entry of a HAR$/m);
    expect(stdout).toMatch(/^1 exchange breaks a required rule$/m);
    expect((await decode(har(base64))).code).toBe(0);
  });

  test('the one that a run writes: nothing is said of what was taken out', async () => {
    const { code, stdout } = await runCli(['decode', join(root, 'reports/sample.har'), '--json']);
    expect(code).toBe(0);
    const exchanges = valueAt(parseJson(stdout), 'exchanges');
    expect(exchanges).toMatchObject({ length: 31 });
    expect(valueAt(exchanges, '0')).toMatchObject({
      number: 1,
      notes: ['case approval-brings-tokens, step step1'],
      response: { status: 200, message: { type: 'response', broken: [] } },
    });
    expect(valueAt(exchanges, '2')).toMatchObject({ request: { message: { type: 'callback', broken: [] } } });
  });

  test('1,000 entries are decoded, and it says how many are left out', { timeout: 60_000 }, async () => {
    const text = har(...Array.from({ length: 10_000 }, () => entry()));
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const { code, stdout } = await decode(text);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^HAR: 10,000 exchanges\n/);
    expect(stdout.match(/^#\d+ /gm)).toHaveLength(1000);
    expect(stdout).toMatch(/^9,000 exchanges were left out: neither decoded nor judged\n$/m);
  });

  test.each([
    ['one that was cut', har(entry()).slice(0, -20), 'it begins as a HAR, and is no JSON'],
    ['one without entries', '{"log":{"entries":{}}}', 'it has no log.entries'.replace('it', 'and')],
    ['one that is too deep', `{"log":${'['.repeat(500)}${']'.repeat(500)}}`, 'nested too deep'],
    ['a large file of another kind', `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'it is larger than 1 MB'],
  ])('%s cannot be decoded', async (_, text, message) => {
    const { code, stdout, stderr } = await decode(text);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a body that was cut is not judged', async () => {
    const { code, stdout } = await decode(
      har(entry({ content: { size: 5000, text: '{"auth_req_id":', comment: 'cut: the whole body had 5000 bytes' } })),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('the body is not all there, and not judged: the whole body had 5000 bytes');
  });
});

describe('what is hostile', () => {
  test('controls and halves of characters are shown, not obeyed', async () => {
    const name = 'x\u001b[31m\u202e';
    const lone = String.raw`{"log":{"entries":[{"request":{"method":"\u001b]0;GET","url":"https://a.test/\ud800\u0007"},"response":{"status":200,"_error":"\u001b[2J","headers":[],"content":{"text":"\udfff\u001b[1m"}}}]}}`;
    for (const text of [
      `HTTP/1.1 200 OK\n${name}: y\nx: ${name}\n\n${name}`,
      `GET /${name} HTTP/1.1\nh: ${name}\n\nHTTP/1.1 200 OK\n\n${name}`,
      lone,
    ]) {
      for (const flags of [[], ['--json']]) {
        const { code, stdout } = await decode(text, ...flags);
        expect(code).toBe(0);
        expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }
    }
  });

  test('a mark of redaction in what is no record of ours is a value like any other', async () => {
    const marked =
      '{"auth_req_id":"[x sha256:000000000000, 22 characters]","expires_in":"[x sha256:000000000000, 3 characters]"}';
    const { code, stdout } = await decode([...head, marked].join('\r\n'));
    expect(code).toBe(1);
    expect(stdout).toContain('RSP-005');
    expect((await decode(har(entry({ content: { mimeType: 'application/json', text: marked } })))).code).toBe(1);
  });

  test('what a HAR says beside its messages holds no credential of them', async () => {
    const headers = fields({ authorization: 'Bearer SEKRETtoken0123456789' });
    const text = har(
      entry(
        { _error: 'reset of SEKRETtoken0123456789', content: { text: '{', comment: 'cut: SEKRETtoken0123456789' } },
        { headers },
      ),
    );
    const [plain, json] = [await decode(text), await decode(text, '--json')];
    expect(plain.stdout + json.stdout).not.toContain('SEKRET');
  });

  test('three million objects are too many', { timeout: 30_000 }, async () => {
    const { code, stderr } = await decode(`{"log":{"entries":[${'{},'.repeat(3_000_001)}{}]}}`);
    expect(code).toBe(2);
    expect(stderr).toContain('it has more than 3000000 objects and lists');
  });

  test('no credential is printed', async () => {
    const secret = 'Zm9vYmFyLXNlY3JldC12YWx1ZQ';
    const heads = `Authorization: Bearer ${secret}\nCookie: sid=${secret}\nLocation: https://sp.test/cb?code=${secret}`;
    const request = `POST /token?access_token=${secret} HTTP/1.1\nHost: op.carrier.test\n${heads}\nContent-Type: application/json\n\n`;
    const texts = [
      `${request}${JSON.stringify({ client_assertion: token, client_secret: secret, refresh_token: 7 })}`,
      `${request}client_secret=${secret}; refresh_token=${secret}`,
      `HTTP/1.1 200 OK\n${heads}\n\n`,
      har(
        entry(
          { headers: fields({ 'set-cookie': secret, authorization: secret }) },
          { url: `https://op.carrier.test/?code=${secret}` },
        ),
      ),
      JSON.stringify({ auth_req_id: 'x', access_token: secret, token_type: 'Bearer', id_token: token }),
      JSON.stringify({ keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', d: secret, p: 'c2hvcnQ', oth: [{ r: secret }] }] }),
    ];
    for (const text of texts) {
      for (const flags of [[], ['--json']]) {
        const { stdout } = await decode(text, ...flags);
        expect(stdout).not.toBe('');
        for (const one of [secret, 'c2hvcnQ', token]) expect(stdout).not.toContain(one);
      }
    }
  });

  test.each([
    ['a head of 100,000 lines', `HTTP/1.1 200 OK\n${'a:b\n'.repeat(100_000)}\n{}`],
    ['a line that goes on 200,000 times', `HTTP/1.1 200 OK\nx: y\n${' z\n'.repeat(200_000)}\n{}`],
    ['lines without a name', `HTTP/1.1 200 OK\n${'=\n'.repeat(100_000)}\n{}`],
    ['50,000 responses', 'HTTP/1.1 200\n'.repeat(50_000)],
  ])('%s', { timeout: 30_000 }, async (_, text) => {
    const { code, stdout } = await decode(text);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThan(6000);
  });
});

test('keys: one a line, with thumbprint and warnings', async () => {
  // RFC 7638 §3.1.
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  const rsa = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29', use: 'sig' };
  const keys = [
    rsa,
    { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ', kid: 'b', d: 'cHJpdmF0ZQ' },
    { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'b' },
  ];
  const { code, stdout } = await decode(JSON.stringify({ keys }));
  expect(code).toBe(1);
  const line = stdout.replaceAll(/\n {13}/g, ' ');
  expect(line).toContain(
    'kid "2011-04-29", RSA 2048 bits, use sig, alg RS256, thumbprint NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  );
  expect(line).toContain('kid "b", EC P-256, no use, no alg, thumbprint');
  expect(line).toContain('warning: it has private members (d): anyone who has seen it can sign with it');
  expect(line.match(/warning: another key has the same kid/g)).toHaveLength(2);
  expect(line).toContain('warning: it has 17 bits, fewer than 2048');
  expect(stdout).not.toContain('cHJpdmF0ZQ');
  const shared = await decodeJson(JSON.stringify({ kty: 'oct', k: 'c2hhcmVk' }));
  expect(shared).toMatchObject({
    type: 'jwk',
    keys: [{ kty: 'oct', warnings: [expect.stringContaining('shared secret')] }],
  });
  expect(JSON.stringify(shared)).not.toMatch(/c2hhcmVk|thumbprint/);
});
