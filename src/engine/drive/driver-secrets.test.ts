import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { HttpDriver } from '../../model/target.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';

const secrets = {
  ADMIN_KEY: 'a key of the admin API/+',
  ADMIN_TOKEN: 'token-of-the-admin-api',
  ADMIN_LOGIN: 'login-of-the-admin-api',
};

test('what an http driver takes from the environment is in no record, except the origin of the admin API', async () => {
  const yaml = `  - { id: one, title: It moves, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }, { trigger: move-sim }] }
`;
  let admin = '';
  const { journal, cases, targets } = await runYamlCases(yaml, {
    change: (target, origin) => {
      admin = origin;
      const moveSim: HttpDriver = {
        kind: 'http',
        method: 'POST',
        url: buildTemplate('{{ env.ADMIN }}/admin/move?key={{ env.ADMIN_KEY }}', ['env']),
        json: [['token', buildTemplate('{{ env.ADMIN_TOKEN }}', ['env'])]],
        headers: [['x-login', buildTemplate('{{ env.ADMIN_LOGIN }}', ['env'])]],
        done: [404],
        impossible: [],
        env: { ...secrets, ADMIN: origin },
      };
      return { ...target, drivers: { ...target.drivers, 'move-sim': moveSim } };
    },
  });
  expect(cases['one']?.verdict).toBe('pass');
  expect(targets).toContainEqual(expect.stringMatching(/^\/admin\/move\?key=a/));
  const record = readFileSync(journal, 'utf8');
  expect(record).toContain(`${admin}/admin/move?key=`);
  const written = Object.values(secrets).flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret)]);
  expect(written.filter((secret) => record.includes(secret))).toEqual([]);
});
