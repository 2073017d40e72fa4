import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseJson, readTextMember } from '../../lib/json.ts';
import { openRewritingProxy } from '../../testing/carriers/rewriting-proxy.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { renderOneReport } from '../../testing/results/ended-run.ts';

const cookie = 'Zk3vQ9xT1mW8-session';
const bearer = 'Bq7LtR2nXs5-invented-by-the-case';
const cases = `  - { id: one, title: A request, rule: REQ-001, steps: [
      { authorize: { claims: { client_notification_token: opaque-Hc4wYp8sDf6-opaque } }, expect: accepted },
      { authorize: { headers: { authorization: bearer ${bearer} } }, expect: accepted }] }
`;

type Echo = (text: string) => string;

const base64: Echo = (text) => Buffer.from(text).toString('base64');
const base64url: Echo = (text) => Buffer.from(text).toString('base64url');
const jsonEscapes: Echo = (text) =>
  text.replaceAll(/[^a-d]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percentEscapes: Echo = (text) =>
  text.replaceAll(/[^a-d]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Texts in a record, as a reader would decode them: with and without escapes, and in base64 from each of four characters. */
function decodings(record: string): readonly string[] {
  const unescaped = record
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  const plain = [record, unescaped];
  return plain.flatMap((text) => [
    text,
    ...(text.match(/[\w+/-]{12,}/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
    ),
  ]);
}

/** Runs against a carrier whose responses echo what it got and what it sent, and returns what the run wrote. */
async function runEchoed(echo: Echo) {
  const seen: string[] = [];
  let upstream = '';
  const proxy = await openRewritingProxy('', {
    request: (passed) => ({ ...passed, target: `${upstream}${passed.target}` }),
    response: (answer, came) => {
      const jws = readTextMember(parseJson(came.body.toString()), 'request') ?? '';
      seen.push(jws);
      const got = [jws, came.headers.authorization ?? jws, cookie].flatMap((one) =>
        ['', 'a', 'bc'].map((before) => echo(`${before}${one}, `)),
      );
      const headers = { ...answer.headers, 'set-cookie': [`sid=${cookie}; Path=/`], 'x-echo': base64(jws) };
      const body = answer.body.toString().replace('{', () => `{"echo":["${got.join('","')}"],`);
      return { ...answer, headers, body: Buffer.from(body) };
    },
  });
  try {
    const ended = await runYamlCases(cases, {
      change: (target, origin) => {
        upstream = origin;
        return { ...target, endpoints: { ...target.endpoints, server_initiated: `${proxy.origin}/si` } };
      },
    });
    expect(ended.cases['one']?.verdict).toBe('pass');
    const result = { ...ended.result, cases: Object.values(ended.cases) };
    const reports = await Promise.all((['json', 'har', 'html'] as const).map((of) => renderOneReport(of, result)));
    return { seen, record: [readFileSync(ended.journal, 'utf8'), ...reports].join('\n') };
  } finally {
    proxy.close();
  }
}

test.each<[string, Echo]>([
  ['as it is', (text) => text],
  ['base64', base64],
  ['base64url', base64url],
  ['base64 in percent escapes', (text) => percentEscapes(base64(text))],
  ['base64 in JSON escapes', (text) => jsonEscapes(base64(text))],
  ['base64url in percent escapes in JSON escapes', (text) => jsonEscapes(percentEscapes(base64url(text)))],
  ['percent escapes', percentEscapes],
])(
  'a carrier that echoes what it gets: leaves no request object, bearer or cookie in what the run writes: %s',
  async (_, echo) => {
    const { seen, record } = await runEchoed(echo);
    const secrets = [bearer, cookie, ...seen.flatMap((jws) => [jws.slice(30, 60), jws.slice(-40)])];
    expect(seen).toHaveLength(2);
    expect(secrets.every((one) => one.length >= 20)).toBe(true);
    const texts = decodings(record);
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
    // The claims stay for people to read.
    expect(/"claims":\{"iss":"[^[]/.test(record)).toBe(true);
  },
);
