import { expect, test } from 'vitest';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

test('the header declares what the cases of the run miss of a registration', async () => {
  const { result, cases } = await runYamlCases(
    `  - { id: second-uri, title: Another notification URI, rule: REQ-001, steps: [
      { authorize: { claims: { notification_uri: "{{ client.notification_uris.1 }}" } }, expect: answered }] }
`,
    {
      change: (target) => ({
        ...target,
        clients: target.clients.map((client) => ({ ...client, notificationUris: ['/si/notify'] })),
      }),
    },
  );
  const words = 'client main has registered one URI for notifications';
  expect(cases['second-uri']).toMatchObject({ verdict: 'not-applicable', reason: words });
  expect(result.header.declarations).toContainEqual({
    key: 'clients.main.notification_uris',
    value: ['/si/notify'],
    words,
  });
});
