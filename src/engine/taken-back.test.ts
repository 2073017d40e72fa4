import { describe, expect, test } from 'vitest';
import type { HttpDriver, Target } from '../model/target.ts';
import { runCases } from '../testing/run-cases.ts';
import { template } from '../testing/templates.ts';

/** The admin door of the hand-made carrier answers 404: what that means is the driver's word. */
const driver = (url: string, meaning: Partial<HttpDriver>): HttpDriver => ({
  kind: 'http',
  method: 'POST',
  url: template(url),
  done: [200],
  impossible: [],
  env: {},
  ...meaning,
});

const works = { done: [404] };

const drivenBy =
  (giveConsent: Partial<HttpDriver> | undefined, removeConsent: Partial<HttpDriver> = works) =>
  (target: Target, origin: string): Target => ({
    ...target,
    drivers: {
      ...target.drivers,
      'remove-consent': driver(`${origin}/admin/remove`, removeConsent),
      ...(giveConsent === undefined ? {} : { 'give-consent': driver(`${origin}/admin/give`, giveConsent) }),
    },
  });

const removal = (id: string, more = ''): string =>
  `  - { id: ${id}, title: It removes, rule: REQ-001, ` +
  `steps: [{ authorize: {}, expect: accepted }, { trigger: remove-consent }${more}] }\n`;

const said = ({ cases }: Awaited<ReturnType<typeof runCases>>) =>
  Object.values(cases).map(({ verdict, reason }) => `${verdict}${reason === undefined ? '' : `: ${reason}`}`);

describe('what a case changed', () => {
  test('is taken back when it ends', async () => {
    const ran = await runCases(removal('one') + removal('two'), { change: drivenBy(works) });
    expect(said(ran)).toEqual(['pass', 'pass']);
    expect(ran.targets.filter((target) => target.startsWith('/admin/'))).toEqual([
      '/admin/remove',
      '/admin/give',
      '/admin/remove',
      '/admin/give',
    ]);
  });

  test.each([
    ['is not possible', { impossible: [404] }, 'give-consent was not possible: '],
    ['does not work', {}, 'the driver for give-consent did not work: '],
  ])('is seen by no other case, where taking it back %s', async (_, giveConsent, why) => {
    const ran = await runCases(removal('one') + removal('two'), { change: drivenBy(giveConsent) });
    expect(said(ran)).toEqual([
      expect.stringMatching(new RegExp(`^error: what the case changed could not be taken back: ${why}`)),
      expect.stringMatching(new RegExp(`^not-run: what one changed could not be taken back: ${why}`)),
    ]);
    expect(ran.targets.filter((target) => target === '/admin/remove')).toHaveLength(1);
  });

  test('is not begun, where nobody can take it back', async () => {
    const ran = await runCases(removal('one'), { change: drivenBy(undefined) });
    expect(said(ran)).toEqual(['not-run: needs a driver for give-consent']);
  });

  test('and takes back by itself is not taken back once more', async () => {
    const ran = await runCases(removal('one', ', { trigger: give-consent }'), { change: drivenBy(works) });
    expect(said(ran)).toEqual(['pass']);
    expect(ran.targets.filter((target) => target === '/admin/give')).toHaveLength(1);
  });

  test('may have been changed although the driver failed, and is taken back', async () => {
    const ran = await runCases(removal('one'), { change: drivenBy(works, {}) });
    expect(said(ran)).toEqual([expect.stringMatching(/^inconclusive: the driver for remove-consent did not work/)]);
    expect(ran.targets.filter((target) => target === '/admin/give')).toHaveLength(1);
  });
});
