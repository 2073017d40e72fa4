import { describe, expect, test } from 'vitest';
import { requireAct } from '../../testing/parts/require-act.ts';
import { acceptedStep, loadCases, loadOne, oneCase, testScope } from '../../testing/parts/load-text.ts';

describe('cases', () => {
  test('everything a plain case has', async () => {
    const found = await loadOne(oneCase(acceptedStep));
    expect(found).toMatchObject({
      id: 'one',
      title: 'One',
      suite: 'A suite',
      area: 'area',
      position: { line: 3, column: 11 },
      rules: [{ rule: 'REQ-001' }],
      client: 'main',
      subscriber: 'consented',
      exclusive: false,
      requires: ['client:main', 'subscriber:consented'],
      receiver: [],
      each: [],
    });
    expect(found.steps).toHaveLength(1);
    expect(found.steps[0]).toMatchObject({ name: 'step1', control: false, record: [], act: { difference: {} } });
    expect(found.steps[0]?.expectations).toEqual([
      { rules: [{ rule: 'REQ-001' }], outcome: 'accepted', position: found.steps[0]?.expectations[0]?.position },
    ]);
  });

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

  test('client, subscriber and declared needs are needs as well', async () => {
    const found = await loadOne(
      oneCase(`client: privileged, subscriber: unenrolled, requires: [events], ${acceptedStep}`),
    );
    expect(found.requires).toEqual(['client:privileged', 'events', 'subscriber:unenrolled']);
  });

  test('flags pick the client', async () => {
    const found = await loadOne(oneCase(`flags: { enum_enabled: false, ial_enabled: true }, ${acceptedStep}`));
    expect(found.client).toEqual({ enum_enabled: false, ial_enabled: true });
    expect(found.requires).toEqual(['subscriber:consented']);
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

  test('what our receiver answers', async () => {
    const { receiver, exclusive } = await loadOne(
      oneCase(
        `exclusive: true, receiver: { callbacks: [{ status: 503, body: x, headers: { a: b }, delay: 1m }, { reset: true }] }, ${acceptedStep}`,
      ),
    );
    expect(exclusive).toBe(true);
    const scripted = receiver.map(({ headers, ...rest }) => ({
      ...rest,
      headers: headers?.map(([name, { source }]) => [name, source]),
    }));
    expect(scripted).toEqual([
      { status: 503, body: 'x', headers: [['a', 'b']], delay: 60 },
      { status: 200, reset: true, headers: undefined },
    ]);
  });
});
