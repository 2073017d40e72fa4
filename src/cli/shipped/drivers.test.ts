import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openSetup, objectMember, textMember } from '../../carrier/testing/setup.ts';
import { actions } from '../../interfaces/server-initiated/actions.ts';
import { card } from '../../interfaces/server-initiated/messages.ts';
import type { DriverModule } from '../../model/action.ts';
import { isTrigger } from '../../suite/verbs/trigger.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { loadShipped } from '../../testing/parts/shipped-suites.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/drivers.md');
const { suites } = await loadShipped();

/** Rows of the table of a page below a heading, without those of the head. */
function rowsBelow(text: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n${heading}\n`);
  const [, ...rows] = (section.split(/\n#+ /)[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<= )\|/)
      .map((cell) => cell.trim()),
  );
}

const code = (name: string | undefined): string => (name === undefined ? '' : `\`${name}\``);

describe('docs/drivers.md', () => {
  test('has every action with what its driver gets, what it returns, and its undo', () => {
    const rows = actions.map(({ name, gets = {}, gives, undo }) => [
      code(name),
      Object.entries(gets)
        .map(([value, words]) => `${code(value)}: ${words}`)
        .join('; '),
      name === 'look' ? 'the card' : code(gives),
      code(undo),
    ]);
    expect(rowsBelow(page, '## What each driver gets and returns')).toEqual(rows);
  });

  test('has every member of the card', () => {
    const rows = Object.entries(card).map(([name, { value }]) => [code(name), value]);
    expect(rowsBelow(page, '## The card of `look`')).toEqual(rows);
  });

  test('has an example of look whose card has every member', async () => {
    const [, js = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
    const lab = createServer((_, response) =>
      response.end(JSON.stringify({ pending: true, text: 'Pay-25', asked: ['openid'], consent: [], auth: 'full' })),
    );
    await new Promise<void>((resolve) => lab.listen(0, '127.0.0.1', resolve));
    const address = lab.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const file = join(makeFolder(), 'look.mjs');
    writeFileSync(file, js.replace('https://lab.example', origin));
    const { default: look } = (await import(pathToFileURL(file).href)) as { default: DriverModule };
    const request = { claims: {}, body: { auth_req_id: 'ccid-1' } };
    const [client, subscriber] = [{}, {}];
    const { signal } = new AbortController();
    const output = await look({ action: 'look', with: {}, request, client, subscriber, input: {}, signal });
    lab.close();
    expect(Object.keys(output?.body ?? {})).toEqual(Object.keys(card));
    expect(output?.body).toMatchObject({ shown: true, context: 'Pay-25', order: ['context'] });
  });
});

describe('the descriptions of drivers', () => {
  test('name the members of the card of the reference carrier, and all that a suite reads', async () => {
    const setup = await openSetup();
    const { body } = await setup.authorize();
    const seen = await setup.admin('GET', `/requests/${textMember(body, 'auth_req_id')}`);
    await setup.close();
    expect(Object.keys(objectMember(seen.body, 'card')).toSorted()).toEqual(Object.keys(card).toSorted());
    const members = suites.cases.flatMap((one) =>
      [...JSON.stringify(one).matchAll(/\bcard\.([A-Za-z]+)/g)].map(([, name = '']) => name),
    );
    expect(new Set(members).size).toBeGreaterThanOrEqual(4);
    expect(members.filter((name) => !Object.hasOwn(card, name))).toEqual([]);
  });

  test('name every value that a suite passes to a driver', () => {
    const passed = suites.cases.flatMap(({ steps }) =>
      steps.flatMap(({ act }) => (isTrigger(act) ? act.with.map(([name]) => `${act.action} ${name}`) : [])),
    );
    const known = actions.flatMap(({ name, gets = {} }) => Object.keys(gets).map((value) => `${name} ${value}`));
    expect([...new Set(passed)].toSorted()).toEqual(known.toSorted());
  });
});

test('docs/target-file.md has each format of a proof of possession with its header and claims', () => {
  const source = read('src/interfaces/server-initiated/verbs/proof.ts');
  const rows = rowsBelow(read('docs/target-file.md'), '### Proofs of possession');
  expect(rows.map(([name]) => name)).toEqual(['`taap`', '`jwt`', '`dpop`']);
  for (const [name = '', header = '', claims = ''] of rows) {
    const [, made = ''] = new RegExp(`${name.slice(1, -1)}Base\\b(.*?)\\n\\}`, 's').exec(source) ?? [];
    const [, typ = ''] = /proofHeaderTemplates\('([^']+)'/.exec(made) ?? [];
    expect(header).toContain(`\`typ\` \`${typ}\``);
    const members = [...made.matchAll(/\['(\w+)', /g)].map(([, member = '']) => member);
    expect(members.length).toBeGreaterThanOrEqual(5);
    const named = [...`${header} ${claims}`.matchAll(/`(\w+)`/g)].map(([, member = '']) => member);
    const own = new Set(named.filter((one) => !['typ', 'alg', 'kid', typ].includes(one)));
    expect([...own].toSorted()).toEqual(members.toSorted());
  }
});
