import { expect, test } from 'vitest';
import { readSuites } from '../../setup/read-files.ts';
import { runInto } from '../../testing/program/run-into.ts';

const { rules } = await readSuites([]);
const judged = rules.filter((rule) => rule.judged === 'cases' || rule.judged === 'invariant').map(({ id }) => id);

test.each(judged)(
  'P20: %s alone is judged, and a carrier that conforms ends with 0',
  { timeout: 60_000 },
  async (id) => {
    const { code, stderr, result } = await runInto([id, '--quiet']);
    expect(code, stderr).toBe(0);
    expect(result.footer?.reasons).toEqual([]);
  },
);
