import { join } from 'node:path';
import process from 'node:process';
import { readSuites, readTarget } from '../dist/setup/read-files.js';
import { referenceTarget } from '../dist/setup/reference.js';
import { run } from '../dist/engine/run.js';
import { serverInitiated } from '../dist/interfaces/server-initiated/interface.js';
import { selectSuites } from '../dist/engine/plan/select.js';
import { startUnlimited } from './ground.js';
import { writeSuites } from './suite.js';

/** Removes the driver that would deny each pending request, so that both loops send the same exchanges. */
function withoutDeny(target) {
  const { deny: _, ...drivers } = target.drivers;
  return { ...target, drivers };
}

/** Prepares a run of generated cases, with the invariants that watch every message of a real run. */
export async function prepareRunner(folder, cases, concurrency) {
  const suites = await readSuites([writeSuites(join(folder, 'suites'), cases)]);
  const what = ['bench'];
  const selected = {
    ...selectSuites(suites, { what, level: 'informational' }, () => []),
    invariants: suites.invariants,
  };
  return async (repeat) => {
    const reference = await startUnlimited();
    try {
      const target = withoutDeny(readTarget(referenceTarget, { ...process.env, ...reference.env }));
      const begun = performance.now();
      const { result, close } = await run({
        suites,
        selected,
        interface: serverInitiated,
        selection: { what, level: 'informational' },
        target,
        journal: join(folder, `journal-${repeat}.jsonl`),
        jobs: concurrency,
        bail: false,
        progress: () => undefined,
        signal: new AbortController().signal,
        tool: { name: 'carrierspec', version: 'bench', node: process.version },
        flags: [],
      });
      const seconds = (performance.now() - begun) / 1000;
      const { exchanges, deliveries } = result.footer;
      let passed = 0;
      for (const { verdict } of result.cases) passed += verdict === 'pass' ? 1 : 0;
      close();
      if (passed !== cases || exchanges !== cases) {
        throw new Error(`${passed} of ${cases} cases passed with ${exchanges} exchanges: the figures mean nothing`);
      }
      return { seconds, exchanges, deliveries };
    } finally {
      await reference.close();
    }
  };
}
