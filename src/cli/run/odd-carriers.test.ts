import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { startHostileCarrier } from '../../testing/hostile-proxy/hostile-carrier.ts';
import { withUnpacked } from '../../testing/pages/html-page.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import {
  startCarrier,
  startInRealTime,
  withoutNames,
  writeFolder,
  writeTarget,
} from '../../testing/program/target-file.ts';

const minutes = 60_000;

describe('a Date that is three minutes off', () => {
  test.each<[mode: string, clock: 'virtual' | 'real', ahead: number, said: RegExp]>([
    ['date-3-minutes-behind', 'real', 0, /off its own clock.*it is not believed/s],
    ['date-3-minutes-ahead', 'virtual', 3 * minutes, /the carrier’s clock is 1\d\d\.\d s ahead of ours/],
    ['date-3-minutes-behind', 'virtual', -3 * minutes, /the carrier’s clock is 1\d\d\.\d s behind ours/],
  ])('%s, with a %s clock that is off by %i ms', async (mode, clock, ahead, said) => {
    const carrier = await startHostileCarrier({ clock, ahead, spared: /^$/ });
    carrier.proxy.misbehave(mode);
    const target = writeTarget((given) => withoutNames(given, 'clock'));
    const { stdout } = await runCli(['check', '--preflight', '--target', target], { env: carrier.env });
    await carrier.close();
    expect(stdout).toMatch(said);
    expect(stdout).toMatch(/ok +client main: a plain request is accepted/);
  });

  test('of a carrier whose own clock is right is in the result of a run', async () => {
    const carrier = await startHostileCarrier({ clock: 'real', spared: /^$/ });
    carrier.proxy.misbehave('date-3-minutes-ahead');
    const target = writeTarget((given) => withoutNames(given, 'clock'));
    // After an accepted request, a run in real time would wait for minutes.
    const ran = await runInto(['configuration-members', '--target', target], { env: carrier.env });
    await carrier.close();
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('off its own clock') as string });
    expect(JSON.stringify(ran.result.footer)).toMatch(/"doubt":"[^"]*off its own clock/);
    expect(ran.result.footer).not.toHaveProperty('skew');
  });
});

test('the carrier gets no more requests in a second than the target file allows', async () => {
  const { env } = await startCarrier([]);
  const target = writeTarget((written) => ({ ...withoutNames(written, 'clock'), rate_limit: '5/s' }));
  const what = ['discovery-of-no-client', 'discovery-of-no-carrier', 'hyphen-spelling'];
  const { code, result } = await runInto([...what, '--target', target], { env });
  const messages = [...result.cases].flatMap((one) => one.messages);
  const times = messages.flatMap((one) => (one.kind === 'exchange' ? [one.sentAt] : [])).toSorted((a, b) => a - b);
  expect(times.length).toBeGreaterThanOrEqual(11);
  // A full second's requests may go at once, overlapping with the next second's.
  const crowded = times.filter((from) => times.filter((at) => at >= from && at < from + 1000).length > 10);
  expect(crowded).toEqual([]);
  // The first may have passed the limiter some time before it was sent.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(((times.length - 5) / 5) * 1000 - 1000);
  expect(code).not.toBe(2);
});

/** Gives every client a notification URI that the carrier does not know. */
function unregister(given: JsonObject): JsonObject {
  const clients = isJsonObject(given['clients']) ? Object.entries(given['clients']) : [];
  const changed = clients.map(([name, client]) => [
    name,
    { ...(isJsonObject(client) ? client : {}), notification_uris: ['/never/registered'] },
  ]);
  return { ...given, clients: Object.fromEntries(changed) as JsonObject };
}

// If a case expects a refusal, a run in real time observes the refused request for ten minutes.
test('a plain request that is refused ends the run at once, and with --keep-going its case', async () => {
  const { env, target } = await startInRealTime(unregister);
  const what = ['success-callback-members', 'denial-brings-error', '--target', target];
  const said = /denied 400 invalid_request, "[^"]*notification_uri[^"]*"/;
  const { code, plain, stderr, out } = await runInto(['approval-brings-tokens', ...what], { env });
  expect(code).toBe(4);
  expect(plain).toMatch(
    /refused the plain request of client main, in \S+ and \S+ sent POST \S+ with client_id \S+ \(alg RS256, kid \S+\) for subscriber \S+ came back denied 400/,
  );
  expect(plain).toMatch(said);
  expect(plain).toMatch(/look at 1\. is \S+\/never\/registered registered\? look at 2\. /);
  expect(plain).toContain('stopped: the carrier refuses the plain request of client main');
  expect(stderr).toMatch(said);
  expect(withUnpacked(readFileSync(join(out, 'report.html'), 'utf8'))).toContain('never/registered');
  const going = await runInto([...what, '--keep-going', '--verbose'], { env });
  expect(going.code).toBe(4);
  expect(going.plain).toMatch(said);
  expect(going.plain).not.toContain('stopped: the carrier');
});

/** Takes time exponential in the length of an id. */
const slow = '{ properties: { auth_req_id: { pattern: "^ccid-(([A-Za-z0-9_-])+)+!$" } } }';

const own = {
  'own.suite.yaml': `suite: Own patterns
invariants:
  - id: slow-invariant
    title: Every id is of a form
    rule: RSP-003
    on: accepted
    expect:
      - body: ${slow}
    seenIn: [plain-request]
cases:
  - id: slow-case
    title: An id is of a form
    rule: RSP-003
    each:
      one: { claims: {} }
      two: { claims: {} }
    steps:
      - authorize: each
        expect: [accepted, { body: ${slow.replace('!$', '#$')} }]
`,
};

test('a slow pattern of an own suite costs its own verdicts once, and those of no other case', async () => {
  const names = ['FLOW-*', 'slow-invariant', 'slow-case', '--suites', writeFolder(own)];
  const { code, stderr, result } = await runInto(names, { timeLimit: 150_000 });
  expect(code, stderr).toBe(4);
  const why =
    /the schema of body cannot judge: a pattern in it took longer than 1 s on \d+ characters, so the run does not try it again$/;
  const found = result.invariants.find(({ id }) => id === 'slow-invariant');
  expect(found).toMatchObject({ verdict: 'inconclusive', judged: 0, violations: 0 });
  expect(found?.unjudged).toBeGreaterThan(10);
  expect(found?.reason).toMatch(/^(\d+) of \1 messages could not be judged: \S*own\.suite\.yaml:8:9: /);
  expect(found?.reason).toMatch(why);
  const undecided = [...result.cases].filter(({ verdict }) => verdict === 'inconclusive');
  expect(undecided.map(({ id }) => id)).toEqual(['slow-case/one', 'slow-case/two']);
  for (const { reason } of undecided) expect(reason).toMatch(why);
  expect(stderr).not.toContain('stood still');
  // Two patterns take a second each; the messages of the run would take many.
  expect(result.footer?.wallMilliseconds).toBeLessThan(60_000);
}, 160_000);
