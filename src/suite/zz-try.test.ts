import { test } from 'vitest';
import { loadSuites } from './load.ts';
import { renderProblem } from './render-problem.ts';
import { tamperNames } from '../wire/tamper.ts';
test('try', async () => {
  const t = performance.now();
  const { suites, problems } = await loadSuites({
    dirs: ['suites'],
    faults: undefined,
    checks: new Set(['refusal-form']),
    tampers: tamperNames,
  });
  console.log(
    performance.now() - t,
    suites.cases.length,
    suites.invariants.length,
    suites.rules.length,
    suites.digests,
  );
  console.log(problems.map(renderProblem).join('\n'));
  console.log(problems.length);
});
