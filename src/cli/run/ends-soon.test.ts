import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { withUnpacked } from '../../testing/pages/html-page.ts';
import { spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, type RealTimeCarrier, startInRealTime, stopCarrier } from '../../testing/program/target-file.ts';

let carrier: RealTimeCarrier;

/** Gives every client a notification URI that the carrier does not know. */
function unregister(given: JsonObject): JsonObject {
  const clients = isJsonObject(given['clients']) ? Object.entries(given['clients']) : [];
  const changed = clients.map(([name, client]): [string, Json] => [
    name,
    isJsonObject(client) ? { ...client, notification_uris: ['/never/registered'] } : client,
  ]);
  return { ...given, clients: Object.fromEntries(changed) };
}

beforeAll(async () => {
  carrier = await startInRealTime(unregister);
});
afterAll(() => stopCarrier(carrier));

const run = (args: readonly string[], out = makeFolder()) =>
  spawnCli(['run', ...args, '--target', carrier.target, '--out', out], { env: carrier.env });

// If a case expects a refusal, a run in real time observes the refused request for ten minutes.
describe('a plain request that is refused', () => {
  const said = /denied 400 invalid_request, "[^"]*notification_uri[^"]*"/;

  test('ends the run at once, which says what came and what to look at', async () => {
    const out = makeFolder();
    const cases = ['success-callback-members', 'denial-brings-error', 'approval-brings-tokens'];
    const { code, stdout, stderr } = await run(cases, out);
    expect(code).toBe(4);
    const plain = stdout.replaceAll(/\s+/g, ' ');
    expect(plain).toMatch(
      /refused the plain request of client main, in \S+ and \S+ sent POST \S+ with client_id \S+ \(alg RS256, kid \S+\) for subscriber \S+ came back denied 400/,
    );
    expect(plain).toMatch(said);
    expect(plain).toMatch(/look at 1\. is \S+\/never\/registered registered\? look at 2\. /);
    expect(plain).toContain('because stopped: the carrier refuses the plain request of client main');
    expect(stderr).toMatch(said);
    expect(withUnpacked(readFileSync(join(out, 'report.html'), 'utf8'))).toContain('never/registered');
  });

  test('with --keep-going ends its case at once', async () => {
    const { code, stdout } = await run(['success-callback-members', 'denial-brings-error', '--keep-going']);
    expect(code).toBe(4);
    const plain = stdout.replaceAll(/\s+/g, ' ');
    expect(plain).toMatch(said);
    expect(plain).not.toContain('stopped: the carrier');
  });
});
