import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../suite/yaml/document.ts';
import { renameKeys, version1 } from '../../suite/yaml/version-1.ts';
import { runCli } from '../../testing/run-cli.ts';
import { root } from '../../testing/spawn-cli.ts';
import { writeFolder } from '../../testing/target-file.ts';
import { rewriteNames } from './check.ts';

const env = {
  REFERENCE_ORIGIN: 'http://127.0.0.1:1',
  REFERENCE_ADMIN: 'http://127.0.0.1:1',
  REFERENCE_RECEIVER_PORT: '0',
  REFERENCE_SECRET: 's',
};

const rules = `# ours: reading and says stand in comments too
area: ours
title: Our rules
rules:
  - id: OUR-001
    clause: "2.3"
    level: observed   # says nothing of the level
    "says": >-
      The carrier says what it reads:
      reading: and because: it is text.
    because: 'a reason for it, because: quoted'
    judged: untestable
`;

const rewrittenRules = `# ours: reading and says stand in comments too
area: ours
title: Our rules
rules:
  - id: OUR-001
    clause: "2.3"
    level: informational   # says nothing of the level
    "description": >-
      The carrier says what it reads:
      reading: and because: it is text.
    rationale: 'a reason for it, because: quoted'
    judged: untestable
`;

/** The shipped target file as version 1 wrote it. */
const targetOfVersion1 = readFileSync(join(root, 'fixtures/reference/carrier.yaml'), 'utf8')
  .replaceAll('file: keys/', `file: ${root}/fixtures/reference/keys/`)
  .replaceAll('tags:', 'traits:')
  .replaceAll('request_timeout:', 'deadline:')
  .replaceAll('delivery_timeout:', 'patience:');

describe('names of version 1', () => {
  test('only the names are rewritten', () => {
    const names = renameKeys(parseYaml(rules, 'rules.yaml'), version1['rules'] ?? []).uses;
    expect(names.map(({ from, to, position: { line, column } }) => [line, column, from, to])).toEqual([
      [7, 12, 'observed', 'informational'],
      [8, 5, 'says', 'description'],
      [11, 5, 'because', 'rationale'],
    ]);
    expect(rewriteNames(rules, names)).toBe(rewrittenRules);
    expect(rewriteNames(rules.replaceAll('\n', '\r\n'), names)).toBe(rewrittenRules.replaceAll('\n', '\r\n'));
  });

  test('a name that is written in another way stays', () => {
    const names = [{ from: 'says', to: 'description', position: { file: 'a', line: 1, column: 1 } }];
    expect(rewriteNames('"s\\u0061ys": x', names)).toBe('"s\\u0061ys": x');
    expect(rewriteNames('says-more: x', names)).toBe('says-more: x');
  });

  test('check says what each is called now, and ends as without', async () => {
    const target = join(writeFolder({ 'carrier.yaml': targetOfVersion1 }), 'carrier.yaml');
    const { code, stdout, stderr } = await runCli(['check', '--target', target], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/, and the target file: no mistakes\n$/);
    expect(stderr).toContain(`${target}:`);
    expect(stderr).toMatch(/^note: \S+:\d+:\d+: `traits` is now `tags`; carrierspec check --fix rewrites it$/m);
    expect(stderr.split('\n').length - 1).toBe(targetOfVersion1.match(/^\s*(?:traits|deadline|patience):/gm)?.length);
    expect(readFileSync(target, 'utf8')).toBe(targetOfVersion1);
  });

  test('a command that reads the file says so too', async () => {
    const target = join(writeFolder({ 'carrier.yaml': targetOfVersion1 }), 'carrier.yaml');
    const { code, stderr } = await runCli(['plan', 'REQ-015', '--target', target], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^note: \S+:\d+:\d+: `patience` is now `delivery_timeout`; carrierspec check --fix/m);
  });

  test('the root that templates of invariants read a response by is rewritten', async () => {
    const invariants = (root: string): string => `suite: Ours
invariants:
  - id: ours-always
    title: It is so
    rule: OUR-001
    on: ${root}
    expect: { equals: { body.sub: "{{ ${root}.body.sub }}" } }
    seenIn: [issuer-is-the-discovered-one]
`;
    const dir = writeFolder({ 'carrier.yaml': '' });
    const folder = join(dir, 'ours');
    mkdirSync(folder);
    writeFileSync(join(folder, 'rules.yaml'), rewrittenRules);
    const file = join(folder, 'ours.suite.yaml');
    writeFileSync(file, invariants('answer'));
    await runCli(['check', dir, '--fix'], { env });
    expect(readFileSync(file, 'utf8')).toBe(invariants('response'));
  });

  test('check --fix rewrites suites and the target file; then nothing is left to rewrite', async () => {
    const dir = writeFolder({ 'carrier.yaml': targetOfVersion1 });
    const [target, file] = [join(dir, 'carrier.yaml'), join(dir, 'ours/rules.yaml')];
    mkdirSync(join(dir, 'ours'));
    writeFileSync(file, rules);
    const fixed = await runCli(['check', dir, '--target', target, '--fix'], { env });
    expect({ code: fixed.code, stderr: fixed.stderr }).toMatchObject({ code: 0 });
    expect(fixed.stderr).toContain(`${file}: 3 names of version 1 rewritten\n`);
    expect(readFileSync(file, 'utf8')).toBe(rewrittenRules);
    expect(readFileSync(target, 'utf8')).not.toMatch(/^\s*(?:traits|deadline|patience):/m);
    const again = await runCli(['check', dir, '--target', target, '--fix'], { env });
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
  });
});
