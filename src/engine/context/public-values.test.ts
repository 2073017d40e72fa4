import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

test('a client_id that a case sends as a credential is hidden nowhere, and a token is', async () => {
  const yaml = `  - { id: one, title: A client_id in the role of a credential, rule: REQ-001, steps: [
      { authorize: { claims: { client_notification_token: "{{ client.client_id }}" } }, expect: accepted }] }
  - { id: two, title: A token that is one, rule: REQ-001, steps: [
      { authorize: { claims: { client_notification_token: opaque-Zk3vQ9xT1mW8-opaque } }, expect: accepted }] }
`;
  const { journal, targets } = await runYamlCases(yaml, {});
  expect(targets.length).toBeGreaterThan(0);
  const record = readFileSync(journal, 'utf8');
  expect(record).toMatch(/"client_notification_token":"[\w-]+"/);
  expect(record).not.toMatch(/"(?:iss|client_id)":"\[/);
  expect(record).toContain('[client_notification_token sha256:');
  expect(record).not.toContain('Zk3vQ9xT1mW8');
});
