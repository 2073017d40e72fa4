import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import type { Client, Subscriber, Target } from '../../model/target.ts';
import { buildClient, ecKey, rsaKey } from '../../testing/parts/keys.ts';
import { buildScenario, buildStep } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { planRun } from './assign.ts';
import type { Case } from '../../suite/suites.ts';
import type { Scope } from '../../model/suite.ts';
import { dueMillis } from '../../lib/time.ts';

const subscriber = (name: string, tags: readonly string[], clients: readonly string[] = ['main']): Subscriber => ({
  name,
  tags,
  subs: Object.fromEntries(clients.map((client) => [client, `001010-${name}`])),
});

const driver = {
  kind: 'http',
  method: 'POST',
  url: buildTemplate('http://admin.test/'),
  done: [200],
  impossible: [],
  env: {},
} as const;
const second = buildClient({ name: 'second' });
const silent = buildClient({ name: 'silent', flags: { silent_authorization_enabled: true } });

function plan(parts: Partial<Case>, target: Partial<Target> = {}) {
  const [planned] = planRun(
    { cases: [buildScenario('a', parts)] },
    buildTarget({ subscribers: [subscriber('first', ['consented'])], ...target }),
    { interface: testedInterface },
  );
  if (planned === undefined) throw new Error('nothing planned');
  return 'assignment' in planned
    ? {
        client: planned.assignment.client.name,
        subscriber: planned.assignment.subscriber.name,
        second: planned.assignment.second?.name,
      }
    : { verdict: planned.verdict, reason: planned.reason };
}

describe('assignments', () => {
  test('the client named and a subscriber with the trait', () => {
    expect(plan({})).toEqual({ client: 'main', subscriber: 'first', second: undefined });
    const both: Partial<Target> = {
      clients: [buildClient(), second],
      subscribers: [
        subscriber('first', ['consented'], ['main', 'second']),
        subscriber('other', ['unconsented'], ['second']),
      ],
    };
    expect(plan({ client: 'second', subscriber: 'unconsented' }, both)).toEqual({
      client: 'second',
      subscriber: 'other',
      second: 'second',
    });
  });

  test('the first client whose flags match; a flag that is not named is off', () => {
    const clients: readonly Client[] = [silent, buildClient()];
    const subscribers = [subscriber('first', ['consented'], ['main', 'silent'])];
    const of = (client: Record<string, boolean>) => plan({ client }, { clients, subscribers });
    expect(of({ silent_authorization_enabled: true })).toMatchObject({ client: 'silent' });
    expect(of({ silent_authorization_enabled: false })).toMatchObject({ client: 'main' });
    expect(of({ enum_enabled: false })).toMatchObject({ client: 'silent' });
  });

  test('a client without keys is not picked by its flags', () => {
    const keyless = buildClient({ name: 'secret-only', keys: [] });
    expect(plan({ client: { server_initiated: true } }, { clients: [keyless, buildClient()] })).toMatchObject({
      client: 'main',
    });
  });

  test('subscribers take turns, the same in every run', () => {
    const subscribers = [
      subscriber('first', ['consented']),
      subscriber('elsewhere', ['consented'], ['second']),
      subscriber('third', ['second', 'consented']),
    ];
    const cases = Array.from({ length: 5 }, (_, index) => buildScenario(`case-${index}`));
    const names = () =>
      planRun({ cases }, buildTarget({ subscribers }), { interface: testedInterface }).map((one) =>
        'assignment' in one ? one.assignment.subscriber.name : one.reason,
      );
    expect(names()).toEqual(['first', 'third', 'first', 'third', 'first']);
    expect(names()).toEqual(names());
  });
});

describe('what a target lacks', () => {
  test.each<[string, Partial<Case>, Partial<Target>]>([
    ['needs a client second', { client: 'second' }, {}],
    [
      'needs a client with enum_enabled on, server_initiated off',
      { client: { enum_enabled: true, server_initiated: false } },
      {},
    ],
    ['needs a subscriber unenrolled', { subscriber: 'unenrolled' }, {}],
    ['needs a subscriber consented', { client: 'second' }, { clients: [second] }],
    ['needs a driver for approve', { requires: ['action:approve'] }, { drivers: { deny: driver } }],
    ['needs a client second', { requires: ['client:second'] }, {}],
    ['needs a subscriber second', { requires: ['subscriber:second'] }, {}],
    ['needs a client with two keys', { requires: ['second-key'] }, {}],
    ['needs a key of client main whose kid has 77 characters', { requires: ['kid-length:77:main'] }, {}],
    ['needs the code of another carrier: name one under carrier_codes.foreign', { requires: ['foreign-code'] }, {}],
    [
      'needs the code of another carrier: name one under carrier_codes.foreign',
      { requires: ['foreign-code'] },
      { carrierCodes: { own: ['001010'], foreign: [] } },
    ],
    ['needs a driver for approve', { requires: ['subscriber:consented', 'action:approve', 'second-key'] }, {}],
  ])('%s', (reason, parts, target) => expect(plan(parts, target)).toEqual({ verdict: 'not-run', reason }));

  test('an operator, where none is there', () => {
    const reason = 'needs an operator at a terminal, or --live, for approve';
    expect(plan({ requires: ['action:approve'] }, { unattended: ['approve'] })).toEqual({ verdict: 'not-run', reason });
  });

  test('nothing, where all of it is there', () => {
    const requires = ['action:approve', 'client:second', 'subscriber:second', 'second-key', 'secret', 'events'];
    const main = buildClient({ keys: [rsaKey(), ecKey()], secret: 's' });
    const target: Partial<Target> = {
      clients: [main, second],
      subscribers: [subscriber('first', ['consented']), subscriber('other', ['second'])],
      drivers: { approve: driver },
    };
    expect(plan({ requires }, target)).toEqual({ client: 'main', subscriber: 'first', second: 'second' });
  });
});

describe('what means nothing for a target', () => {
  test.each<[string, string, Partial<Target>]>([
    ['virtual-clock', 'the run is in real time, where a second is not exact', {}],
    [
      'redirect-uri:custom',
      'client main has no redirect_uri with a custom scheme',
      { clients: [buildClient({ redirectUris: ['https://sp.example/cb'] })] },
    ],
    [
      'redirect-uri:https',
      'client main has no redirect_uri with https',
      { clients: [buildClient({ redirectUris: ['app:/cb'] })] },
    ],
    ['secret', 'client main has no secret', {}],
  ])('%s makes a case not applicable', (word, reason, target) =>
    expect(plan({ requires: [word] }, target)).toEqual({ verdict: 'not-applicable', reason }),
  );

  test('nothing, where the registration has it', () => {
    const clients = [buildClient({ redirectUris: ['https://sp.example/cb', 'app:/cb'] })];
    const requires = [
      'redirect-uri:https',
      'redirect-uri:custom',
      `kid-length:${buildClient().keys[0]?.kid.length}:main`,
    ];
    expect(plan({ requires }, { clients })).toMatchObject({ client: 'main' });
  });
});

describe('what a carrier declares not to have', () => {
  test('makes a case not applicable, whatever else is lacking', () => {
    const reason = 'the carrier declares that it has no local-redirect';
    const requires = ['action:look', 'local-redirect'];
    expect(plan({ requires, client: 'second' }, { supports: { 'local-redirect': false } })).toEqual({
      verdict: 'not-applicable',
      reason,
    });
  });

  test('declared to be there, or not declared: it is there', () => {
    expect(plan({ requires: ['local-redirect'] }, { supports: { 'local-redirect': true } })).toMatchObject({
      client: 'main',
    });
    expect(plan({ requires: ['local-redirect'] })).toMatchObject({ client: 'main' });
  });

  test.each([
    ['name', undefined, undefined],
    ['location', undefined, 'no attribute location is declared: it is not among those that a carrier usually has'],
    ['location', ['location'], undefined],
    ['is_adult18', ['name', 'is_adult_18'], undefined],
    ['picture', ['name'], 'the carrier declares its attributes, and picture is not among them'],
  ])('the attribute %s, where the target file lists %j', (name, attributes, reason) => {
    const target: Partial<Target> = attributes === undefined ? {} : { attributes };
    const found = plan({ requires: [`attribute:${name}`] }, target);
    expect(found).toMatchObject(reason === undefined ? { client: 'main' } : { verdict: 'not-applicable', reason });
  });

  test('a case that does not need it runs', () => {
    expect(plan({ requires: [] }, { supports: { 'local-redirect': false } })).toMatchObject({ client: 'main' });
  });
});

const noScope: Scope = { now: () => 0, random: () => '', root: () => undefined };

describe('exclusive cases', () => {
  const consented = ['first', 'second', 'third'].map((name) => ({
    name,
    tags: ['consented'],
    subs: { main: `001010-${name}` },
  }));
  const waits = (seconds: number): Case['steps'] => [
    buildStep({ at: { source: '', position: buildStep().position, paths: [], evaluate: () => dueMillis(seconds) } }),
  ];
  const lasting = (id: string, hours: number, parts: Partial<Case> = {}): Case =>
    buildScenario(id, { exclusive: true, steps: waits(hours * 3600), ...parts });
  const assigned = (cases: readonly Case[], target: Partial<Target> = {}): Readonly<Record<string, string>> =>
    Object.fromEntries(
      planRun({ cases }, buildTarget({ subscribers: consented, ...target }), { interface: testedInterface }).map(
        (one) => [one.case.id, 'assignment' in one ? one.assignment.subscriber.name : one.verdict],
      ),
    );
  const hoursOf = (cases: readonly Case[], names: Readonly<Record<string, string>>): readonly number[] =>
    consented.map(({ name }) =>
      cases.reduce(
        (sum, one) => sum + (names[one.id] === name ? Number(one.steps[0]?.at?.evaluate(noScope)) / 3_600_000 : 0),
        0,
      ),
    );

  test('take each subscriber for as long as the others, where the longest first does not', () => {
    // The longest first gives 5 + 3 + 3, 5 + 3 and 4 + 4.
    const cases = [5, 5, 4, 4, 3, 3, 3].map((hours, at) => lasting(`c${at}`, hours));
    expect(hoursOf(cases, assigned(cases))).toEqual([9, 9, 9]);
  });

  test('that the target file excludes take no subscriber', () => {
    const cases = [lasting('never', 9, { requires: ['tls'] }), lasting('a', 2), lasting('b', 2), lasting('c', 2)];
    const names = assigned(cases, { supports: { tls: false } });
    expect(names['never']).toBe('not-applicable');
    expect(new Set([names['a'], names['b'], names['c']]).size).toBe(3);
  });

  test('are the same where one of them runs again by itself', () => {
    const cases = [5, 5, 4, 4, 3, 3, 3].map((hours, at) => lasting(`c${at}`, hours));
    const names = assigned(cases);
    for (const one of cases) {
      const target = buildTarget({ subscribers: consented });
      const [planned] = planRun({ cases: [one] }, target, { interface: testedInterface, all: cases });
      expect(planned).toMatchObject({ assignment: { subscriber: { name: names[one.id] } } });
    }
  });

  test('of hours leave others to the subscribers who have time', () => {
    const cases = [
      lasting('day', 24),
      lasting('a', 2),
      lasting('b', 1),
      ...['c', 'd', 'e'].map((id) => buildScenario(id)),
    ];
    const names = assigned(cases);
    expect([names['c'], names['d'], names['e']]).not.toContain(names['day']);
    expect(new Set([names['c'], names['d'], names['e']]).size).toBe(2);
  });
});
