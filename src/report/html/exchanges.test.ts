import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { valueAt } from '../../lib/json.ts';
import { packedCases, packedChunks, htmlReport } from '../../testing/pages/html-page.ts';
import { buildCase, buildDelivery, buildExchange, buildFinding, buildResult } from '../../testing/results/result.ts';

describe('the exchanges', () => {
  const claims = { iss: 'sp', iat: 1_767_225_600, jti: 'j1' };
  const exchange = buildExchange({
    object: { header: { alg: 'RS256' }, claims },
    differences: [
      { what: 'claims.iat', change: 'set', value: 1_767_225_540 },
      { what: 'claims.nonce', change: 'removed' },
      { what: 'header.alg', change: 'raw', value: '"RS256","alg":"none"' },
    ],
  });

  it('are kept for the moment somebody opens the case, with the deliberate difference marked', () => {
    const cases = [
      buildCase({
        verdict: 'fail',
        findings: [buildFinding()],
        messages: [exchange, buildDelivery({ step: 'replay' })],
      }),
    ];
    const page = htmlReport(buildResult({ cases }));
    const [chunk] = packedChunks(page);
    expect(chunk).toMatchObject({
      messages: [
        {
          at: 'x1',
          step: 'replay',
          time: exchange.sentAt,
          took: 18,
          line: 'POST https://op.carrier.test/bc-authorize',
          differences: [
            ['claims.iat', '1767225540', 'set'],
            ['claims.nonce', '', 'removed'],
            ['header.alg', '"RS256","alg":"none"', 'raw'],
          ],
          object: {
            header: [['alg', '"RS256"', 'raw']],
            claims: [
              ['iss', '"sp"'],
              ['iat', '1767225600', 'set'],
              ['jti', '"j1"'],
              ['nonce', '', 'removed'],
            ],
          },
          status: 'HTTP 200',
        },
        { at: 'd1', kind: 'delivery', status: 'we answered 200' },
      ],
    });
    expect(packedCases(page)).toMatchObject([
      {
        found: {
          rows: [
            {
              at: 'x1',
              rule: ['REQ-015', 'REQ-015'],
              headline: 'with iat, header.alg: expected denied, got accepted 200',
            },
          ],
          left: 0,
        },
      },
    ]);
  });

  it('of a body that was cut have its digest, and the place of the message that has the same', () => {
    const sha256 = '9c'.repeat(32);
    const cut = {
      headers: [],
      body: 'x\n[... 5000 characters left out ...]\ny',
      bytes: 5002,
      truncated: true,
      sha256,
    } as const;
    const came = { ...cut, status: 200, sameAs: 'iat-too-old/day-old#x2' };
    const cases = [buildCase({ messages: [buildExchange({ request: cut, response: came })] })];
    const [chunk] = packedChunks(htmlReport(buildResult({ cases })));
    expect(chunk).toMatchObject({
      messages: [
        {
          sent: { bytes: 5002, cut: true, sha256 },
          came: {
            cut: true,
            sha256,
            same: { id: 'iat-too-old/day-old#x2', anchor: 'case-iat-too-old/day-old', at: 'x2' },
          },
        },
      ],
    });
    expect(JSON.stringify(chunk)).not.toContain('"same":null');
  });

  it('name what a hostile result says to be the same in visible characters, at an anchor that is nobody’s', () => {
    const sameAs = '"><script>\u{202E}';
    const response = { status: 200, headers: [], body: '', bytes: 5, truncated: true, sameAs } as const;
    const page = htmlReport(buildResult({ cases: [buildCase({ messages: [buildExchange({ response })] })] }));
    const same = valueAt(packedChunks(page)[0], 'messages.0.came.same');
    expect(same).toMatchObject({ anchor: 'case-' });
    expect(JSON.stringify(same)).not.toContain('\u{202E}');
  });

  it('of cases that are much alike take less than an eighth of their JSON', () => {
    const cases = Array.from({ length: 300 }, (_, at) =>
      buildCase({
        id: `case-${at}`,
        messages: Array.from({ length: 5 }, (__, index) =>
          buildExchange({
            id: `case-${at}#x${index}`,
            object: {
              header: { alg: 'RS256' },
              claims: { ...claims, jti: createHash('sha256').update(`${at} ${index}`).digest('hex') },
            },
          }),
        ),
      }),
    );
    const page = htmlReport(buildResult({ cases }));
    const rest = htmlReport(buildResult({ cases: cases.map((ended) => ({ ...ended, messages: [] })) }));
    const json = JSON.stringify(packedChunks(page));
    expect(json.length).toBeGreaterThan(700_000);
    expect(page.length - rest.length).toBeLessThan(json.length / 8);
    expect(rest.length).toBeLessThan(150_000);
  });

  // exchanges.nightly.test.ts does the same with far more.
  it('of many cases fit into 15 MB: cases that passed are shortened, those that did not are not', () => {
    const noise = (seed: string) => createHash('shake256', { outputLength: 11_000 }).update(seed).digest('base64');
    const cases = Array.from({ length: 60 }, (_, at) =>
      buildCase({
        id: `case-${at}`,
        messages: Array.from({ length: 20 }, (__, index) => {
          const body = noise(`${at} ${index}`);
          return buildExchange({ id: `x${index}`, request: { headers: [], body, bytes: body.length } });
        }),
        ...(at === 7 ? { verdict: 'fail' as const, findings: [buildFinding()] } : {}),
      }),
    );
    const page = htmlReport(buildResult({ cases }));
    expect(Buffer.byteLength(page)).toBeLessThan(15_000_000);
    expect(page).toContain('To keep this file small the exchanges of cases that passed or only recorded are shortened');
    const sizes = packedChunks(page).map((chunk) => JSON.stringify(chunk).length);
    expect(sizes[7]).toBeGreaterThan(20 * 14_000);
    expect(sizes[8]).toBeLessThan(20 * 3000);
  });
});
