import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CancelCall, Target } from '../../model/target.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { buildTemplates } from '../../testing/parts/templates.ts';

const scenario = `  - { id: cancels, title: A case, rule: REQ-001, steps: [
      { as: request, authorize: {} },
      { as: cancellation, http: { to: cancel, parameters: { auth_req_id: "{{ request.body.auth_req_id }}" } }, expect: answered }] }
`;

const sentTo =
  (cancel: CancelCall | undefined, path: string) =>
  (target: Target, origin: string): Target => ({
    ...target,
    endpoints: { ...target.endpoints, cancel: `${origin}${path}` },
    ...(cancel === undefined ? {} : { cancel }),
  });

describe('a cancellation', () => {
  test('is sent as the target says, and its credential is not recorded', async () => {
    const cancel: CancelCall = {
      method: 'DELETE',
      as: 'query',
      member: 'id',
      headers: buildTemplates({ 'x-key': '{{ env.KEY }}' }, ['env']),
      env: { KEY: 'hush-hush-hush-1234' },
    };
    const ran = await runYamlCases(scenario, { change: sentTo(cancel, '/requests/{auth_req_id}') });
    expect(ran.cases['cancels']?.verdict).toBe('pass');
    expect(ran.targets).toContain('/requests/ccid-00000000000');
    const sent = ran.cases['cancels']?.messages.find(
      ({ kind, step }) => kind === 'exchange' && step === 'cancellation',
    );
    expect(sent).toMatchObject({
      method: 'DELETE',
      purpose: 'cancel',
      request: { headers: [['x-key', expect.anything()]] },
    });
    expect(readFileSync(ran.journal, 'utf8')).not.toContain('hush-hush');
  });

  test('and without a word of it, as a form', async () => {
    const ran = await runYamlCases(scenario, { change: sentTo(undefined, '/cancel') });
    const sent = ran.cases['cancels']?.messages.find(
      ({ kind, step }) => kind === 'exchange' && step === 'cancellation',
    );
    expect(sent).toMatchObject({ method: 'POST', request: { body: 'auth_req_id=ccid-00000000000' } });
  });
});
