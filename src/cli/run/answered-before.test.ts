import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { readResult } from '../../journal/read-result.ts';
import { createPhoneLab, doTask, type PageTask } from '../../testing/carriers/phone-lab.ts';
import { openEvents } from '../../testing/pages/live-page.ts';
import { answerLive } from '../../testing/pages/person-at-live.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';

const carrier = await startCarrier(['--clock', 'virtual']);
const ask = { ask: true, timeout: '60s' };
/** One case after the other, with one subscriber. */
const target = writeTarget(({ subscribers, drivers, ...rest }) => ({
  ...rest,
  cases_per_subscriber: 1,
  subscribers: { first: isJsonObject(subscribers) ? (subscribers['first'] ?? null) : null },
  drivers: { ...(isJsonObject(drivers) ? drivers : {}), approve: ask, deny: ask, look: ask },
}));
const given = parseJson(readFileSync(target, 'utf8'));
const lab = createPhoneLab(carrier.env['REFERENCE_ADMIN'] ?? '', isJsonObject(given) ? given : {});

/** Case that asks three times. */
const cut = 'context-of-nothing';
const cases = [cut, 'denial-brings-error', 'approval-brings-tokens'];

const caseOf = ({ facts }: PageTask): string => /^[\w-]+/.exec(facts['case'] ?? '')?.[0] ?? '';

/** Cases of the journal that have ended, each with the number of its answers. */
function endedIn(journal: string): ReadonlyMap<string, number> {
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').slice(0, -1) : [];
  return new Map(
    lines.flatMap((line) => {
      const value = parseJson(line);
      if (!isJsonObject(value) || value['kind'] !== 'case') return [];
      const { id, acts } = value;
      return [[renderPlain(id), Array.isArray(acts) ? acts.length : 0] as const];
    }),
  );
}

test('what was answered is not asked again after kill -9, and page and terminal say how much that is', async () => {
  const out = makeFolder();
  const journal = join(out, 'journal.jsonl');
  const flags = [...cases, '--target', target, '--out', out, '--live'];
  const start = (more: readonly string[]) =>
    startCli(['run', ...flags, ...more], { env: carrier.env, timeLimit: 120_000 });
  const first = start([]);
  const asked = await answerLive(first, 'Ann', async (task) => {
    if (!task.description.includes('is not there')) return doTask(task, lab);
    // The second task of the case: it is cut off here, once the others have ended.
    await expect.poll(() => endedIn(journal).size, { timeout: 30_000 }).toBe(2);
    first.kill();
    return { button: 'Yes' };
  });
  expect((await first.ended).code).toBeNull();
  expect(asked.filter((task) => caseOf(task) === cut)).toHaveLength(2);
  expect(Object.fromEntries(endedIn(journal))).toEqual({ 'approval-brings-tokens': 1, 'denial-brings-error': 1 });

  const second = start(['--resume']);
  const [, url = ''] = await second.stderr(/^live: (\S+)$/m);
  const events = await openEvents(url, 'person=two');
  const again = await answerLive(second, 'Ben', (task) => doTask(task, lab));
  const { code, stderr } = await second.ended;
  // The case that was cut off begins anew, and nothing else is asked.
  expect(again.map(caseOf)).toEqual([cut, cut, cut]);
  const words = '--resume: 2 of 5 manual tasks were done before, and they are not asked again';
  expect(stderr).toContain(`${words}\n`);
  expect(events.text()).toContain(`"text":"${words}"`);
  expect(events.text()).toMatch(/"acts":\{"begun":2,"of":5,"before":2\}/);
  expect(events.text()).toMatch(/"place":"3 of 5"[\s\S]*"place":"4 of 5"[\s\S]*"place":"5 of 5"/);
  const { result } = readResult(join(out, 'result.json'));
  expect([...result.cases].map(({ id, verdict, acts = [] }) => [id, verdict, acts.map(({ by }) => by)])).toEqual([
    ['approval-brings-tokens', 'pass', ['Ann']],
    ['denial-brings-error', 'pass', ['Ann']],
    [cut, 'pass', ['Ben', 'Ben', 'Ben']],
  ]);
  expect(code).toBe(0);
}, 150_000);
