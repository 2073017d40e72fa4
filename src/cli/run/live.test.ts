import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEvents, postLive } from '../../testing/pages/live-page.ts';
import { questionsIn } from '../../testing/pages/person-at-live.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeTargetWith } from '../../testing/program/target-file.ts';

const { env } = await startCarrier();

/** Starts a run with a question, and waits for it at the page. */
async function startQuestion(person: string) {
  const out = makeFolder();
  const target = writeTargetWith({ look: { ask: true, timeout: '40s' } });
  const args = ['run', 'colour-mode-of-the-system', '--target', target, '--out', out, '--live'];
  const running = startCli(args, { env });
  const [, url = ''] = await running.stderr(/^live: (http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/)$/m);
  const events = await openEvents(url, `person=${person}`);
  await expect.poll(() => questionsIn(events), { timeout: 15_000 }).toHaveLength(1);
  return { running, url, events, out };
}

test('a run without a terminal is answered at its page, and the page sees its exchanges without secrets', async () => {
  const { running, url, events, out } = await startQuestion('ann');
  expect(questionsIn(events)[0]).toMatchObject({
    id: 'q1',
    kind: 'holds',
    description: 'Look at the phone: is it so that the colour mode is "system"?',
    facts: expect.arrayContaining([
      ['phone', expect.stringMatching(/^\+/)],
      ['SP', 'ccid-conftestclient01'],
    ]) as unknown,
  });
  const answer = { person: 'ann', name: 'Ann', question: 'q1', attempt: 'x', word: 'yes', note: 'it is' };
  await postLive(url, 'answer', answer);
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('carrierspec:')]);
  const result = readFileSync(join(out, 'result.json'), 'utf8');
  expect(result).toContain('yes: it is');
  expect(result).not.toContain('--live');
  expect(events.text()).toContain('The run is over: ');
  expect(events.text()).toMatch(/"kind":"message","case":"colour-mode-of-the-system"/);
  expect(events.text()).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20}/);
});

test('a run that is interrupted says so to its pages, and how far it came; its terminal says who took a question', async () => {
  const { running, url, events } = await startQuestion('ben');
  await postLive(url, 'take', { person: 'ben', name: 'Ben\u001b[2J', question: 'q1' });
  await running.stderr(/Ben .*has taken: Look at the phone: is it so/);
  running.interrupt();
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([130, expect.not.stringContaining('\u001b[2J')]);
  expect(events.last('desk')).toMatchObject({ questions: [], ended: [{ word: 'nothing', stopped: true }] });
  expect(events.last('state')).toMatchObject({
    ended:
      'The run was interrupted: incomplete (test carrier; virtual clock: it says nothing about real time; profile interface).',
    stopping: 'The run was interrupted: it ends with what is finished.',
    done: 0,
    undone: 1,
  });
});
