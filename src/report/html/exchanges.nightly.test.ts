import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import { htmlReport, packedChunks } from '../../testing/pages/html-page.ts';
import { buildCase, buildExchange, buildFinding, buildResult } from '../../testing/results/result.ts';

it('exchanges of many cases fit into 15 MB: cases that passed are shortened, those that did not are not', () => {
  const noise = (seed: string) => createHash('sha512').update(seed).digest('base64').slice(0, 80);
  const bodyOf = (at: number) => Array.from({ length: 40 }, (_, line) => noise(`${at} ${line}`)).join('');
  const messages = Array.from({ length: 20 }, (_, index) =>
    buildExchange({ id: `x${index}`, request: { headers: [], body: bodyOf(index), bytes: 3200 } }),
  );
  const cases = Array.from({ length: 400 }, (_, index) =>
    buildCase({
      id: `case-${index}`,
      messages: messages.map((message) => ({
        ...message,
        request: { ...message.request, body: `${bodyOf(index)}${message.request.body}` },
      })),
      ...(index === 7 ? { verdict: 'fail' as const, findings: [buildFinding()] } : {}),
    }),
  );
  const page = htmlReport(buildResult({ cases }));
  expect(Buffer.byteLength(page)).toBeLessThan(15_000_000);
  expect(page).toContain('To keep this file small the exchanges of cases that passed or only recorded are shortened');
  const sizes = packedChunks(page).map((chunk) => JSON.stringify(isJsonObject(chunk) ? chunk['messages'] : '').length);
  expect(sizes[7]).toBeGreaterThan(20 * 3200);
  expect(sizes[8]).toBeLessThan(sizes[7] ?? 0);
}, 120_000);
