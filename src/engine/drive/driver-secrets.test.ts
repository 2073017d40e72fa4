import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { HttpDriver } from '../../model/target.ts';
import { runCases } from '../../testing/run-cases.ts';
import { template } from '../../testing/templates.ts';

const secrets = { DOOR_KEY: 'a key of the door/+', DOOR_TOKEN: 'token-of-the-door', DOOR_LOGIN: 'login-of-the-door' };

test('what an http driver takes from the environment is in no record, but for where the door is', async () => {
  const yaml = `  - id: one
    title: It moves
    rule: REQ-001
    steps: [{ authorize: {}, expect: accepted }, { trigger: move-sim }]
`;
  let door = '';
  const { journal, cases, targets } = await runCases(yaml, {
    change: (target, origin) => {
      door = origin;
      const moveSim: HttpDriver = {
        kind: 'http',
        method: 'POST',
        url: template('{{ env.DOOR }}/admin/move?key={{ env.DOOR_KEY }}', ['env']),
        json: [['token', template('{{ env.DOOR_TOKEN }}', ['env'])]],
        headers: [['x-login', template('{{ env.DOOR_LOGIN }}', ['env'])]],
        done: [404],
        impossible: [],
        env: { ...secrets, DOOR: origin },
      };
      return { ...target, drivers: { ...target.drivers, 'move-sim': moveSim } };
    },
  });
  expect(cases['one']?.verdict).toBe('pass');
  expect(targets).toContainEqual(expect.stringMatching(/^\/admin\/move\?key=a/));
  const record = readFileSync(journal, 'utf8');
  expect(record).toContain(`${door}/admin/move?key=`);
  const written = Object.values(secrets).flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret)]);
  expect(written.filter((secret) => record.includes(secret))).toEqual([]);
});
