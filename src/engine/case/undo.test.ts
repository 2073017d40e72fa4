import { describe, expect, test } from 'vitest';
import type { HttpDriver, Target } from '../../model/target.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { postTo } from '../../testing/carriers/drivers.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';

const works = { done: [404] };

const drivenBy =
  (giveConsent: Partial<HttpDriver> | undefined, removeConsent: Partial<HttpDriver> = works) =>
  (target: Target, origin: string): Target => ({
    ...target,
    drivers: {
      ...target.drivers,
      'remove-consent': postTo(`${origin}/admin/remove`, removeConsent),
      ...(giveConsent === undefined ? {} : { 'give-consent': postTo(`${origin}/admin/give`, giveConsent) }),
    },
  });

const removal = (id: string, more = ''): string =>
  `  - { id: ${id}, title: It removes, rule: REQ-001, ` +
  `steps: [{ authorize: {}, expect: accepted }, { trigger: remove-consent }${more}] }\n`;

const said = ({ cases }: Awaited<ReturnType<typeof runYamlCases>>) =>
  Object.values(cases).map(({ verdict, reason }) => `${verdict}${reason === undefined ? '' : `: ${reason}`}`);

describe('what a case changed', () => {
  test('is undone when it ends', async () => {
    const ran = await runYamlCases(removal('one') + removal('two'), { change: drivenBy(works) });
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
  ])('is seen by no other case, where undoing it %s', async (_, giveConsent, why) => {
    const ran = await runYamlCases(removal('one') + removal('two'), { change: drivenBy(giveConsent) });
    expect(said(ran)).toEqual([
      expect.stringMatching(new RegExp(`^error: what the case changed could not be undone: ${why}`)),
      expect.stringMatching(new RegExp(`^not-run: what one changed could not be undone: ${why}`)),
    ]);
    expect(ran.targets.filter((target) => target === '/admin/remove')).toHaveLength(1);
  });

  test('is not begun, where it cannot be undone', async () => {
    const ran = await runYamlCases(removal('one'), { change: drivenBy(undefined) });
    expect(said(ran)).toEqual(['not-run: needs a driver for give-consent']);
  });

  test('shows to the next case only when the carrier knows of the way back', async () => {
    const change = (target: Target, origin: string): Target => ({
      ...target,
      subscribers: target.subscribers.filter(({ tags }) => tags.includes('consented')).slice(0, 1),
      drivers: {
        ...target.drivers,
        unlink: postTo(`${origin}/admin/unlink`, works),
        link: postTo(`${origin}/admin/link`, works),
      },
    });
    const unlinks =
      '  - { id: unlinks, title: It unlinks, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }, { trigger: unlink }] }\n';
    const asks =
      '  - { id: asks, title: It asks, rule: REQ-001, exclusive: true, steps: [{ authorize: {}, expect: accepted }] }\n';
    const { cases } = await runYamlCases(unlinks + asks, { change, order: 'listed' });
    const sentIn = (id: string): readonly number[] =>
      cases[id]?.messages.map((one) => (one.kind === 'exchange' ? one.sentAt : 0)) ?? [];
    // The default latency of a consent is a minute.
    expect((sentIn('asks')[0] ?? 0) - Math.max(...sentIn('unlinks'))).toBeGreaterThanOrEqual(60_000);
  });

  describe('a consent that an approval gave (P21)', () => {
    const approving =
      '  - { id: approves, title: It approves, rule: REQ-001, subscriber: unconsented, exclusive: true, steps: [{ as: request, authorize: {}, expect: accepted }, { trigger: { action: approve, of: request, ifPossible: true } }] }\n' +
      '  - { id: then, title: It asks, rule: REQ-001, subscriber: unconsented, exclusive: true, steps: [{ authorize: {}, expect: accepted }] }\n';
    const change =
      (drivers: readonly string[]) =>
      (target: Target, origin: string): Target => ({
        ...target,
        subscribers: target.subscribers.map((one) => ({ ...one, tags: [...one.tags, 'unconsented'] })),
        drivers: Object.fromEntries(drivers.map((name) => [name, postTo(`${origin}/admin/${name}`, works)])),
      });

    test('is taken back when the case ends', async () => {
      const setting = { change: change(['approve', 'remove-consent']), order: 'listed' } as const;
      const ran = await runYamlCases(approving, setting);
      expect(said(ran)).toEqual(['pass', 'pass']);
      expect(ran.targets.filter((target) => target.startsWith('/admin/'))).toEqual([
        '/admin/approve',
        '/admin/remove-consent',
      ]);
    });

    test('leaves other cases without such a subscriber, where nothing takes it back', async () => {
      const ran = await runYamlCases(approving, { change: change(['approve']), order: 'listed' });
      expect(said(ran)).toEqual([
        'pass',
        expect.stringMatching(
          /^not-run: approves made approve happen, so .* is no longer unconsented, and there is no driver for remove-consent$/,
        ),
      ]);
    });
  });

  test('and undoes by itself is not undone once more', async () => {
    const ran = await runYamlCases(removal('one', ', { trigger: give-consent }'), { change: drivenBy(works) });
    expect(said(ran)).toEqual(['pass']);
    expect(ran.targets.filter((target) => target === '/admin/give')).toHaveLength(1);
  });

  test('may have been changed although the driver failed, and is undone', async () => {
    const ran = await runYamlCases(removal('one'), { change: drivenBy(works, {}) });
    expect(said(ran)).toEqual([expect.stringMatching(/^inconclusive: the driver for remove-consent did not work/)]);
    expect(ran.targets.filter((target) => target === '/admin/give')).toHaveLength(1);
  });

  describe('where it is a number', () => {
    const numbered =
      (phone?: string) =>
      (target: Target, origin: string): Target => ({
        ...target,
        subscribers: target.subscribers.map(({ name, tags, subs }) => ({
          name,
          tags,
          subs,
          ...(phone === undefined ? {} : { phone }),
        })),
        drivers: {
          ...target.drivers,
          'change-number': {
            ...postTo('', works),
            url: buildTemplate(`${origin}/admin/number/{{ with.phone }}`, ['with']),
          },
        },
      });
    const change = (more = ''): string =>
      `  - { id: one, title: It changes, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }, ` +
      `{ trigger: { action: change-number, with: { phone: "1" } } }${more}] }\n`;
    const numbers = ({ targets }: Awaited<ReturnType<typeof runYamlCases>>) =>
      targets.flatMap((target) => /^\/admin\/number\/(.*)$/.exec(target)?.[1] ?? []);

    test('is set to the one that the target file has', async () =>
      expect(numbers(await runYamlCases(change(), { change: numbered('7') }))).toEqual(['1', '7']));

    test('and is not set once more, where the case went there and back', async () => {
      const back = ', { trigger: { action: change-number, with: { phone: "{{ subscriber.phone }}" } } }';
      expect(numbers(await runYamlCases(change(back), { change: numbered('7') }))).toEqual(['1', '7']);
    });

    test('cannot be undone, where the target file has none', async () => {
      const ran = await runYamlCases(change() + removal('two'), {
        change: (target, origin) => numbered()(drivenBy(works)(target, origin), origin),
      });
      expect(said(ran)).toEqual([
        'error: what the case changed could not be undone: the target file has no phone of first',
        'not-run: what one changed could not be undone: the target file has no phone of first',
      ]);
    });
  });
});
