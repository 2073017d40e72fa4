import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { root } from '../../testing/program/spawn-cli.ts';

/** The output of --json. */
interface Catalogue {
  readonly kinds: readonly {
    readonly name: string;
    readonly entries: readonly { readonly name: string; readonly page: string; readonly facts: unknown }[];
  }[];
}

async function faultNames(): Promise<readonly string[]> {
  const { rows } = JSON.parse((await runCli(['list', '--kind', 'fault', '--json'])).stdout) as {
    rows: { name: string }[];
  };
  return rows.map(({ name }) => name);
}

async function explain(name: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(['explain', name], { env: { COLUMNS: '120' } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Source line that a `file:line:column` points to. */
function pointedAt(text: string, pattern: RegExp): string {
  const [, file = '', line = '0'] = pattern.exec(text) ?? [];
  expect(existsSync(join(root, file))).toBe(true);
  return readFileSync(join(root, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
}

describe('explain', () => {
  test('a rule: clause, level, statement, cases with their places, and the faults that prove it', async () => {
    const text = await explain('REQ-015');
    expect(text).toMatch(/^REQ-015 {2}recommended {2}§2\.3 jti, 5\.1, 8 {2}request-object\n {2}\S/);
    expect(text).toMatch(/^ {2}judged {5}by cases$/m);
    expect(text).toMatch(/^Cases {2}53$/m);
    expect(pointedAt(text, / {2}jti-again-after-4m30s\n.*\n {4}(\S+):(\d+):\d+\n/)).toContain('jti-again-after-4m30s');
    expect(pointedAt(text, / {2}where {6}(\S+):(\d+):\d+\n/)).toContain('REQ-015');
    expect(text).toMatch(/^Faults {2}\d+ faults of the reference carrier$/m);
    expect(text).toMatch(
      /^ {2}jti-kept-2-minutes\n {4}A jti is forgotten after 2 minutes\.\n {4}breaks this rule; detected by jti-across\/the-hour, jti-across\/the-night, jti-again-after-4m30s\b/m,
    );
  });

  test('a required rule: the sentence that makes it required, and that of a required part of it', async () => {
    expect(await explain('REQ-007')).toMatch(
      /^ {2}because {4}"When present, the issuer URL of the correct carrier\."$/m,
    );
    expect(await explain('SEC-31')).toMatch(
      /^ {2}aspect {5}#signature \(required\): .*\n {2}because {4}OIDC Core §2: id tokens are signed; OIDC Core §10\.1: /m,
    );
  });

  test('a fault: where it is defined, and the check of the reference carrier that it changes', async () => {
    const text = await explain('REQ-015');
    const fault = text.slice(text.indexOf('\n  jti-freed-by-its-repetition\n'));
    expect(pointedAt(fault, /\n {4}(src\/lab\/\S+):(\d+)\n/)).toContain("'jti-freed-by-its-repetition'");
    expect(pointedAt(fault, /\n {4}changes the check jti-not-repeated, (\S+):(\d+)\n/)).toContain("'jti-not-repeated'");
  });

  test('a fault names the rows that see it break this rule, and no others of their case', async () => {
    const text = (await explain('REQ-073')).replaceAll(/\s+/g, ' ');
    const rows = ['240-characters', '8-characters', '9-characters'].map((row) => `context-length/${row}`).join(', ');
    expect(text).toContain(
      `breaks this rule, and FLOW-001; detected by ${rows}, contexts-that-look-like-something-else/digits changes`,
    );
  });

  test('twelve faults of a rule come in full, the others on one line', async () => {
    const text = await explain('TRN-015');
    const faults = text.slice(text.indexOf('\nFaults '));
    expect(faults.match(/^ {4}breaks this rule, .*; detected by /gm)).toHaveLength(12);
    expect(faults).toMatch(/^ {2}broken as well by [a-z0-9-]+(, [a-z0-9-]+)*/m);
  });

  test('an aspect means its rule, which gives its level', async () => {
    const text = await explain('REQ-007#near-miss');
    expect(text).toBe(await explain('req-007'));
    expect(text).toMatch(/^ {2}aspect {5}#near-miss \(recommended\): /m);
    expect(text).toMatch(/^ {4}rows: another-carrier, own-client-id$/m);
  });

  test('a rule that is attested says why', async () => {
    const text = await explain('REQ-083');
    expect(text).toMatch(
      /^ {2}judged {5}by an attestation of the operator, with evidence, because: the log entries are seen in the SP portal/m,
    );
  });

  test('a case: its rules, what it needs, and its steps in words', async () => {
    const text = await explain('jti-again-after-4m30s');
    expect(text).toMatch(/^ {2}rule {7}REQ-015 \(recommended\): /m);
    expect(text).toMatch(/^ {2}rule {7}REQ-016 \(informational\): /m);
    expect(text).toMatch(/^ {2}run it {5}carrierspec run jti-again-after-4m30s$/m);
    expect(text.slice(text.indexOf('Steps'))).toBe(`Steps  3 steps
 1. first  control
     a request object is sent
       the valid request, nothing different
     must       succeed, or the case is inconclusive
 2. again
     at first + 4m30s: a request object is sent
       claims.jti = {{ first.claims.jti }}
     expected   denied-or-dropped: a 4xx response, a closed connection, or no push and no tokens even when approved
                (REQ-015, REQ-016)
     records    after-4m30s = {{ again.summary }}
 3. step3  control
     a request object is sent
       the valid request, nothing different
     must       accepted: HTTP 200 and a pending request
`);
  });

  test('a matrix: what sets its rows apart', async () => {
    const text = await explain('iat-young');
    expect(text).toMatch(/^Rows {2}2; the steps are those of the first$/m);
    expect(text).toMatch(/^ {2}4m55s-old {2}claims\.iat = \{\{ now - 4m55s \}\}$/m);
    expect(await explain('iat-young/4m55s-old')).toMatch(/^iat-young\/4m55s-old {2}a case of request-object, /);
  });

  test('an invariant: what it is judged on, and what must hold', async () => {
    const text = await explain('callback-bearer');
    expect(text).toMatch(/^callback-bearer {2}an invariant of callback, /);
    expect(text).toMatch(/^ {2}on {9}every callback$/m);
    expect(text).toMatch(/^ {5}expected {3}the named check bearer-is-notification-token holds \(CB-004\)$/m);
  });

  test.each([
    ['REQ-15', 'did you mean REQ-015?'],
    ['jti-abcent', 'did you mean jti-absent?'],
    ['zebra', 'see carrierspec list'],
  ])('%s is unknown: %s', async (name, hint) => {
    const stderr = `carrierspec: nothing is called ${name}; ${hint}\n`;
    expect(await runCli(['explain', name])).toEqual({ code: 2, stdout: '', stderr });
  });

  test('a name of two kinds is explained in both', async () => {
    const text = await explain('form-encoding');
    expect(text).toMatch(/^form-encoding {2}a case of server-initiated, /);
    expect(text).toMatch(/\n\nform-encoding {2}§2\.1 {2}a freedom: the interface leaves it open\n/);
  });

  test('a rule: what measures it, and how it is fixed', async () => {
    const text = await explain('REQ-009');
    expect(text).toMatch(/^ {2}measured {3}iat-age, iat-ahead$/m);
    const fix = text.slice(text.indexOf('\nHow to fix '), text.indexOf('\nFaults '));
    expect(pointedAt(fix, /the check [\w-]+, (src\/carrier\/\S+):(\d+):/)).toMatch(/^export const iatWithin5Minutes\b/);
    expect(fix).toMatch(/^ {2}see it fail carrierspec run REQ-009 --fault [\w-]+$/m);
    expect(fix).toMatch(/^ {2}try yours {2}carrierspec run REQ-009 --target carrier\.yaml$/m);
  });

  test('a command', async () =>
    expect(await explain('prove')).toMatch(/^carrierspec prove \[name\.\.\.\] {2}a command\n/));

  test('a glob: all that it matches, as JSON with facts and pages', async () => {
    const { code, stdout } = await runCli(['explain', 'jti-kept-*', '--json']);
    expect(code).toBe(0);
    const given = JSON.parse(stdout) as Catalogue;
    expect(given.kinds.map(({ name }) => name)).toEqual(['fault', 'variant']);
    const names = given.kinds[0]?.entries.map(({ name }) => name) ?? [];
    expect(names).toEqual((await faultNames()).filter((name) => name.startsWith('jti-kept-')));
    const kept = given.kinds[0]?.entries.find(({ name }) => name === 'jti-kept-2-minutes');
    expect(kept?.page).toMatch(/^jti-kept-2-minutes {2}a fault of the reference carrier\n/);
    expect(kept?.facts).toContainEqual(['breaks', expect.stringMatching(/^REQ-015 \(recommended\): /)]);
  });
});

describe('explain --why', () => {
  const file = join(root, 'reports/sample.result.json');

  test('prints the steps of one decision of a run', async () => {
    const { code, stdout } = await runCli(['explain', 'cb-004', '--why', file]);
    expect(stdout).toMatch(/^ {2}rule +CB-004: /);
    expect(stdout).toMatch(/^ {2}so +broken: it makes the run not conformant$/m);
    expect(code).toBe(0);
    const json = await runCli(['explain', 'CB-004', '--why', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      why: expect.arrayContaining([{ label: 'verdict', text: 'fail' }]) as unknown,
    });
  });

  test.each([
    ['CB-04', file, 'has no rule CB-04; did you mean CB-004'],
    ['CB-004', join(root, 'nowhere.json'), 'nowhere.json'],
  ])('of %s in %s says what is wrong', async (name, result, message) => {
    const { code, stderr } = await runCli(['explain', name, '--why', result]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
