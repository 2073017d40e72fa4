import { describe, expect, it } from 'vitest';
import type { Finding } from '../../model/finding.ts';
import { buildCase, buildDelivery, buildExchange, buildFinding, startOfRun } from '../../testing/results/result.ts';
import { findingFacts, renderCommand, renderDifferences, renderReceived, renderSendFlags } from './facts.ts';

describe('findingFacts', () => {
  it('takes what was sent from the request that a callback answers', () => {
    const messages = [
      buildExchange({ differences: [{ what: 'header.kid', change: 'removed' }] }),
      buildDelivery({ step: 'replay', receivedAt: startOfRun + 1500 }),
    ];
    const finding = buildFinding({ code: 'late-delivery', expected: 'no callback', actual: 'failed', message: 'd1' });
    const seenIn = buildCase({ findings: [finding], messages });
    expect(findingFacts({ finding, seenIn })).toEqual([
      { label: 'expected', text: 'no callback, because the request was refused' },
      { label: 'actual', text: 'failed' },
      { label: 'sent', text: 'header.kid removed' },
      {
        label: 'came back',
        text: 'POST /si/notify {"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","error":"request_denied"}',
      },
      { label: 'when', text: '1.500 s after the case began, step replay' },
      { label: 'where', text: 'suites/server-initiated/replay.suite.yaml:21:9', whole: true },
      { label: 'run again', text: 'carrierspec run jti-repeated', whole: true },
    ]);
  });

  it('takes the last message of the step where a finding names none', () => {
    const { message: _, ...finding } = buildFinding();
    const messages = [buildExchange({ id: 'x8' }), buildExchange({ id: 'x9', sentAt: startOfRun + 7 })];
    const when = findingFacts({ finding, seenIn: buildCase({ messages }) }).find(({ label }) => label === 'when');
    expect(when?.text).toBe('0.007 s after the case began, step replay');
  });

  it.each([
    [
      { expected: 'accepted' },
      ['phone-hints'],
      ['a carrier that does not have it writes supports: { phone-hints: false } in its target file'],
    ],
    [{ expected: 'denied' }, ['phone-hints'], []],
    [{ expected: 'accepted' }, undefined, []],
  ])('says how a carrier without a feature declares that: %j, %j', (parts, assumes, texts) => {
    const finding = buildFinding({ code: 'outcome', actual: 'denied 400', ...parts });
    const facts = findingFacts({ finding, seenIn: buildCase({ ...(assumes && { assumes }) }) });
    expect(facts.filter(({ label }) => label === 'declare').map(({ text }) => text)).toEqual(texts);
  });

  it('shows what was sent before a delivery that did not come, and leaves out other tries and the end', () => {
    const { message: _, ...finding } = buildFinding({ step: 'awaited' });
    const { response: __, ...lost } = buildExchange({ id: 'x3', step: 'third', purpose: 'driver approve' });
    const messages = [
      buildExchange({ id: 'x1', step: 'first', purpose: 'request' }),
      buildExchange({ id: 'x2', step: 'first', attempt: 'again' }),
      { ...lost, noResponse: { reason: 'reset' as const, detail: 'broke' } },
      buildExchange({ id: 'x4', step: 'end of first', purpose: 'driver deny' }),
    ];
    const facts = findingFacts({ finding, seenIn: buildCase({ messages }) });
    expect(facts.find(({ label }) => label === 'before')?.text).toBe('first: request, 200; third: approve, reset');
  });

  it('shows what it has where the case is not there', () => {
    const labels = findingFacts({ finding: buildFinding({ path: 'body', seenIn: 'base' }) }).map(({ label }) => label);
    expect(labels).toEqual(['of', 'expected', 'actual', 'where', 'run again']);
  });
});

describe('renderDifferences', () => {
  it('has a form for each kind of change', () => {
    const sentAt = startOfRun;
    const differences = [
      { what: 'claims.iat', change: 'set', value: startOfRun / 1000 - 330 },
      { what: 'claims.exp', change: 'set', value: startOfRun / 1000 + 600 },
      { what: 'claims.scope', change: 'removed' },
      { what: 'claims.expires_in', change: 'raw', value: '300.5' },
      { what: 'signature', change: 'altered' },
      { what: 'payload', change: 'altered', value: 'one byte' },
    ] as const;
    expect(renderDifferences(buildExchange({ sentAt, differences }))).toBe(
      [
        'claims.iat = 1767225270 (330 s before it was sent)',
        'claims.exp = 1767226200 (600 s after it was sent)',
        'claims.scope removed',
        'claims.expires_in = 300.5 (raw JSON text)',
        'signature altered',
        'payload: one byte',
      ].join('; '),
    );
    const object = { header: {}, claims: {} };
    expect(renderDifferences(buildExchange({ object, differences: [] }))).toBe('the valid request, nothing different');
  });

  it('names what was called where no request object was sent: it has nothing to be compared with', () => {
    const url = 'https://carrier.example/token';
    expect(renderDifferences(buildExchange({ url, differences: [] }))).toBe(`POST ${url}`);
  });

  it('cuts a long value', () => {
    const differences = [{ what: 'claims.context', change: 'set', value: 'x'.repeat(100_000) }] as const;
    expect(renderDifferences(buildExchange({ differences }))).toBe(
      `claims.context = "${'x'.repeat(159)}…" (100,000 characters)`,
    );
  });
});

describe('renderReceived', () => {
  it('says why no response came', () => {
    const { response: _, ...exchange } = buildExchange();
    expect(renderReceived({ ...exchange, noResponse: { reason: 'timeout', detail: 'nothing in 30 s' } })).toBe(
      'no response: timeout (nothing in 30 s)',
    );
  });

  it('cuts a long body', () => {
    const response = { status: 400, headers: [], body: 'x'.repeat(1000), bytes: 1000 };
    expect(renderReceived(buildExchange({ response }))).toBe(`HTTP 400 ${'x'.repeat(400)}… (600 more characters)`);
  });
});

describe('what is redacted', () => {
  const shown = (value: string): string =>
    renderDifferences(
      buildExchange({ differences: [{ what: 'claims.client_notification_token', change: 'set', value }] }),
    );

  it.each([
    ['[token sha256:3044a546c612, 1,024 characters]', '[token sha256:3044a546c612] (1,024 characters, redacted)'],
    [
      '[JWE sha256:065ce1b997cb, 812 characters, header alg RSA-OAEP, zip DEF]',
      '[JWE sha256:065ce1b997cb] (812 characters, redacted, header alg RSA-OAEP, zip DEF)',
    ],
    [
      'a token [token sha256:3044a546c612, 1,024 characters] in a text',
      '"a token [token sha256:3044a546c612, 1,024 characters] in a text" (1,042 characters, redacted)',
    ],
    [`[${'x'.repeat(50)}]`, `"[${'x'.repeat(50)}]" (52 characters)`],
  ])('has the length of what was sent: %s', (value, words) => {
    expect(shown(value)).toBe(`claims.client_notification_token = ${words}`);
  });

  it('is not cut in its mark, and what is left out is as long as it was', () => {
    const body = `${'x'.repeat(380)}[token sha256:3044a546c612, 1,024 characters]yz`;
    const response = { status: 400, headers: [], body, bytes: 1406 };
    expect(renderReceived(buildExchange({ response }))).toBe(`HTTP 400 ${'x'.repeat(380)}… (1026 more characters)`);
  });
});

describe('the header of what came back', () => {
  const headers = [
    ['Content-Type', 'text/html'],
    ['Location', 'https://sp.test/cb?error=E4711'],
    ['X-Injected', 'a'],
    ['x-injected', 'b'],
  ] as const;
  const response = { status: 302, headers, body: '', bytes: 0 };
  const cameBack = (parts: Partial<Finding>): string | undefined =>
    findingFacts({
      finding: buildFinding(parts),
      seenIn: buildCase({ messages: [buildExchange({ response })] }),
    }).find(({ label }) => label === 'came back')?.text;
  const location = 'Location: https://sp.test/cb?error=E4711;';

  it.each<[string, Partial<Finding>, string]>([
    ['where it leads to', {}, `HTTP 302 ${location}`],
    ['what the expectation read', { headers: ['x-injected'] }, `HTTP 302 ${location} X-Injected: a; x-injected: b;`],
    ['what the path names', { path: 'headers.content-type' }, `HTTP 302 Content-Type: text/html; ${location}`],
  ])('has %s', (_, parts, text) => {
    expect(cameBack(parts)).toBe(text);
  });

  it('of a delivery has what was read', () => {
    const delivery = buildDelivery({ id: 'd1', request: { headers, body: '{}', bytes: 2 } });
    expect(renderReceived(delivery, ['content-type'])).toMatch(/ Content-Type: text\/html; \{\}$/);
  });
});

it('the order of cases is repeated by a run, and not by send', () => {
  const flags = ['--target', 'a.yaml', '--order', 'shuffled=7'];
  expect(renderCommand('iat-too-old', flags)).toBe('carrierspec run iat-too-old --target a.yaml --order shuffled=7');
  expect(renderSendFlags(flags)).toBe('--target a.yaml');
});

describe('renderCommand', () => {
  it('quotes an id that a shell would not take as one word', () => {
    expect(renderCommand('iat-too-old/5m30s-old')).toBe('carrierspec run iat-too-old/5m30s-old');
    expect(renderCommand("a b'; rm -r /")).toBe("carrierspec run 'a b'\\''; rm -r /'");
  });
});

describe('a command made of a result that a stranger wrote', () => {
  const flags = ['--target', "a'; touch x; '.yaml", '--reporter', './evil.mjs', '--fault', '$(touch x)', '--traces'];

  it('has the flags that a run keeps and no others, each as one word', () => {
    const words = `--target 'a'\\''; touch x; '\\''.yaml' --fault '$(touch x)'`;
    expect(renderCommand('REQ-001', flags)).toBe(`carrierspec run REQ-001 ${words}`);
    expect(renderSendFlags([...flags, '--profile', 'hardened'])).toBe(words);
  });

  it('has no name that is read as a flag', () => {
    expect(renderCommand(['--reporter=./evil.mjs', 'REQ-001'], ['--target', 'carrier.yaml'])).toBe(
      'carrierspec run --target carrier.yaml -- --reporter=./evil.mjs REQ-001',
    );
  });
});
