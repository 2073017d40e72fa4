import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { isJsonObject } from '../../lib/json.ts';
import { writeFolder, writeTarget } from '../../testing/program/target-file.ts';

const rules = `area: own
title: Rules of our own
rules:
  - { id: ACME-001, clause: "2.3", level: required, description: A request is accepted., judged: cases }
`;
const suite = `suite: Our own
cases:
  - id: acme-accepted
    title: A request is accepted
    rule: ACME-001
    client: scond
    subscriber: consentedd
    requires: [teleport]
    steps:
      - authorize: { claims: { state: "{{ clients.thrid.client_id }}", nonce: "{{ clients.second.client_idd }}" } }
        expect: accepted
`;

test('a name of another edition of the suite language is unknown, each at its place', async () => {
  const other = {
    'own/rules.yaml': rules.replace('description:', 'says:').replace('required', 'observed'),
    'own/own.suite.yaml': suite.replace('requires:', 'needs:'),
  };
  const { code, stderr } = await runCli(['check', 'own'], { cwd: writeFolder(other) });
  expect(code).toBe(2);
  expect(stderr).toMatch(/own\/rules\.yaml:4:43: "level" must be .*, not the string "observed"$/m);
  expect(stderr).toMatch(/own\/rules\.yaml:4:53: unknown key "says" in a rule$/m);
  expect(stderr).toMatch(/own\/own\.suite\.yaml:8:5: unknown key "needs" in a case$/m);
});

test('a rule about a class without covers gets a warning with its place, and check still ends with 0', async () => {
  const open = rules.replace('A request is accepted.', 'Any request is accepted.');
  const sound = suite
    .replace(/^ {4}(?:client|subscriber|requires): .*\n/gm, '')
    .replace(/authorize: .*/, 'authorize: {}');
  const cwd = writeFolder({ 'own/rules.yaml': open, 'own/own.suite.yaml': sound });
  const { code, stdout, stderr } = await runCli(['check', 'own'], { cwd });
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: '1 warning' });
  expect(stderr).toContain('own/rules.yaml:4:11: ACME-001 speaks of a class ("Any"), and no "covers" says');
  const answered = open.replace('judged: cases', 'judged: cases, covers: { class: any request, by: [acme-accepted] }');
  const clean = await runCli(['check', 'own'], {
    cwd: writeFolder({ 'own/rules.yaml': answered, 'own/own.suite.yaml': sound }),
  });
  expect(clean).toMatchObject({ code: 0, stderr: '' });
});

describe('names that a case takes from a target file', () => {
  test('those that no target has are mistakes, each at its place', async () => {
    const cwd = writeFolder({ 'own/rules.yaml': rules, 'own/own.suite.yaml': suite });
    const { code, stderr } = await runCli(['check', 'own'], { cwd });
    expect(code).toBe(2);
    const said = stderr.split('\n').filter((line) => /^\S*own\.suite\.yaml:\d|^ {3}[a-z]/.test(line));
    expect(said.map((line) => line.trim().replace(/^\S*own\.suite\.yaml:/, ''))).toEqual([
      '6:13: there is no client "scond"',
      'did you mean "second"?',
      '7:17: there is no tag of subscribers "consentedd"',
      'did you mean "consented"?',
      '8:16: there is no capability "teleport"',
      'if it is in your target file, name that file with --target',
      '10:51: clients has no "thrid"',
      '10:98: second has no "client_idd"',
      'did you mean "client_id"?',
    ]);
  });

  test('each place of a name is told, beside known ones', async () => {
    const twice = suite
      .replace('client: scond', 'client: second')
      .replace('consentedd', 'consented')
      .replace('[teleport]', '[events, teleport, levitate]')
      .replace(
        / {6}- authorize: .*\n/,
        ['thrid', 'second', 'thrid']
          .map((name) => `      - authorize: { client: ${name} }\n`)
          .join('        expect: accepted\n'),
      );
    const cwd = writeFolder({ 'own/rules.yaml': rules, 'own/own.suite.yaml': twice });
    const { stderr } = await runCli(['check', 'own'], { cwd });
    expect(stderr.match(/(?<=own\.suite\.yaml:)\d+:\d+: .*/g)).toEqual([
      '8:24: there is no capability "teleport"',
      '8:34: there is no capability "levitate"',
      '10:30: there is no client "thrid"',
      '14:30: there is no client "thrid"',
    ]);
  });

  test('explain prints commands that find them again', async () => {
    const sound = suite
      .replace('scond', 'second')
      .replace('consentedd', 'consented')
      .replace('[teleport]', '[events]')
      .replace(/authorize: .*/, 'authorize: {}');
    const cwd = writeFolder({ 'own/rules.yaml': rules, 'own/own.suite.yaml': sound });
    expect((await runCli(['check', 'own'], { cwd })).stderr).toBe('');
    const { stdout } = await runCli(['explain', 'ACME-001', '--suites', 'own'], { cwd });
    expect(stdout).toMatch(/^ {2}see it hold carrierspec run ACME-001 --suites own$/m);
    expect(stdout).toMatch(/^ {2}try yours +carrierspec run ACME-001 --target carrier\.yaml --suites own$/m);
  });
});

describe('names that a carrier may have beside those of the interface', () => {
  const places = (stderr: string): readonly string[] =>
    stderr
      .split('\n')
      .filter((line) => /:\d+:\d+: | {3}did you mean/.test(line))
      .map((line) => line.trim().replace(/^\S*\.yaml:/, ''));

  test('claims and scopes of a suite that are almost known get a warning each, at their place', async () => {
    const claims = '{ noncee: a, acme_claim: b, scope: "openid birthdat acme_scope offline_acess" }';
    const other = suite
      .replace(/^ {4}(?:client|subscriber|requires): .*\n/gm, '')
      .replace(/authorize: .*/, `authorize: { claims: ${claims}, drop: [promt], raw: { stat: '1' } }`);
    const cwd = writeFolder({ 'own/rules.yaml': rules, 'own/own.suite.yaml': other });
    const { code, stdout, stderr } = await runCli(['check', 'own'], { cwd });
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: '5 warnings' });
    expect(places(stderr)).toEqual([
      '7:32: the interface has no claim "noncee"',
      'did you mean "nonce"?',
      '7:73: the interface has no scope "birthdat"',
      'did you mean "birthdate"?',
      '7:93: the interface has no scope "offline_acess"',
      'did you mean "offline_access"?',
      '7:118: the interface has no claim "promt"',
      'did you mean "prompt"?',
      '7:133: the interface has no claim "stat"',
      'did you mean "state"?',
    ]);
    expect((await runCli(['run', 'acme-accepted', '--suites', 'own'], { cwd })).stderr).not.toContain('noncee');
  });

  test('scopes of a target file that are almost known get a warning; others are the carrier’s own', async () => {
    const target = writeTarget((whole) => {
      const clients = isJsonObject(whole['clients']) ? whole['clients'] : {};
      const main = isJsonObject(clients['main']) ? clients['main'] : {};
      const scopes = ['openid', 'name', 'birthdat', 'profile', 'email_verified', 'events'];
      return { ...whole, clients: { ...clients, main: { ...main, scopes } } };
    });
    const env = {
      REFERENCE_ORIGIN: 'http://127.0.0.1:1',
      REFERENCE_ADMIN: 'http://127.0.0.1:2',
      REFERENCE_RECEIVER_PORT: '3',
      REFERENCE_SECRET: 'a-secret',
    };
    const { code, stderr } = await runCli(['check', '--target', target], { env });
    expect({ code, said: places(stderr) }).toEqual({
      code: 0,
      said: [expect.stringMatching(/^\d+:\d+: the interface has no scope "birthdat"$/), 'did you mean "birthdate"?'],
    });
  });
});
