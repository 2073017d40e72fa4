import { describe, expect, test } from 'vitest';
import { requireAct } from '../../testing/parts/require-act.ts';
import { loadCases, loadOne, oneCase, testScope } from '../../testing/parts/load-text.ts';

describe('cases', () => {
  test('a row of a matrix is a case of its own, with its difference and its values', async () => {
    const found = await loadCases(`  - id: one
    title: One
    rule: REQ-001
    each:
      far: { claims: { iat: "{{ now - 10m }}" }, with: { age: 600 } }
      near: { client: second, key: second, drop: [sub] }
    steps:
      - { authorize: each, expect: accepted, record: { row: "{{ each.name }}" } }`);
    expect(found.map(({ id }) => id)).toEqual(['one/far', 'one/near']);
    const [far, near] = found;
    expect(far?.each.map(([name, value]) => [name, value.evaluate(testScope)])).toEqual([
      ['name', 'far'],
      ['age', 600],
    ]);
    const { difference } = requireAct(far?.steps[0], 'authorize');
    expect(difference.claims?.map(([name, value]) => [name, value.evaluate(testScope)])).toEqual([['iat', 400]]);
    expect(requireAct(near?.steps[0], 'authorize').difference).toEqual({
      client: 'second',
      key: 'second',
      drop: ['sub'],
    });
    expect(near?.requires).toEqual(['client:main', 'client:second', 'second-key', 'subscriber:consented']);
    expect(far?.position).toMatchObject({ line: 7, column: 7 });
  });

  test('a row may have responses of the receiver of its own', async () => {
    const found = await loadCases(`  - id: one
    title: One
    rule: REQ-001
    receiver: { events: [{ status: 503 }], callbacks: [{ status: 500 }] }
    each:
      own: { receiver: { events: [{ status: 418 }, { status: 200 }] } }
      same: {}
    steps:
      - { authorize: {}, expect: accepted }`);
    expect(found.map(({ eventReceiver }) => eventReceiver?.map(({ status }) => status))).toEqual([[418, 200], [503]]);
    expect(found.map(({ receiver }) => receiver.map(({ status }) => status))).toEqual([[], [500]]);
  });

  test('a step is a control when it says so or expects nothing', async () => {
    const { steps } = await loadOne(
      oneCase(
        'steps: [{ authorize: {} }, { authorize: {}, expect: denied }, { authorize: {}, expect: accepted, control: true }]',
      ),
    );
    expect(steps.map(({ control }) => control)).toEqual([true, false, true]);
  });

  test.each<[string, readonly string[]]>([
    ['[{ authorize: {}, expect: accepted }, { trigger: approve }]', ['action:approve']],
    ['[{ authorize: {}, expect: denied-or-dropped }, { authorize: {}, control: true }]', []],
    ['[{ authorize: {}, expect: accepted }, { look: card }]', ['action:look']],
    ['[{ authorize: { key: of-second-client }, expect: accepted }]', ['client:second']],
    ['[{ authorize: { key: unregistered }, expect: accepted }]', []],
    ['[{ authorize: { key: secret, alg: HS256 }, expect: accepted }]', ['secret']],
    ['[{ authorize: { claims: { iss: "{{ clients.two-keys.client_id }}" } }, expect: accepted }]', ['client:two-keys']],
    ['[{ authorize: { claims: { a: ["{{ subscriber.subs.second }}"] } }, expect: accepted }]', ['client:second']],
    ['[{ authorize: {}, expect: { equals: { body.sub: "{{ subscribers.second.sub }}" } } }]', ['subscriber:second']],
  ])('what it needs: %s', async (steps, requires) => {
    const found = await loadOne(oneCase(`steps: ${steps}`));
    expect(found.requires).toEqual([...requires, 'client:main', 'subscriber:consented'].sort());
  });

  test.each([
    ['approve', false],
    ['open-app', true],
    ['remove-consent', true],
    ['set-flag', true],
    ['remove-key', true],
  ])('after %s a case is alone: %s', async (action, exclusive) => {
    expect(
      (await loadOne(oneCase(`steps: [{ authorize: {}, expect: accepted }, { trigger: ${action} }]`))).exclusive,
    ).toBe(exclusive);
  });
});
