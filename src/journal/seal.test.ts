import { expect, test } from 'vitest';
import { buildCase, buildResult } from '../testing/results/result.ts';
import { entriesAfterHeader } from './entries.ts';
import { createSealer } from './seal.ts';

test('a seal has 8 hexadecimal digits of each case, and a digest of all', () => {
  const result = buildResult({ cases: [buildCase({ id: 'one' }), buildCase({ id: 'two' })] });
  const seal = createSealer();
  seal({ kind: 'header', header: result.header });
  const entries = [...entriesAfterHeader(result)].map((entry) => seal(entry).entry);
  const last = entries.at(-1);
  const made = last?.kind === 'footer' ? last.footer.seal : undefined;
  expect(made?.caseDigests).toMatch(/^[0-9a-f]{16}$/);
  expect(made?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
});
