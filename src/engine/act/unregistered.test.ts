import { expect, test } from 'vitest';
import { type JsonObject, renderPlain } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const asked = `
  - { id: asked, title: A scope of launch is understood, rule: REQ-001, steps: [
      { authorize: { claims: { scope: openid postal_code } }, expect: accepted }] }
`;

const withoutPostalCode = ({ scope }: JsonObject, index: number): Conduct =>
  renderPlain(scope).includes('postal_code')
    ? { status: 400, body: { error: 'invalid_scope' } }
    : { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };

const registeredFor =
  (scopes: readonly string[] | undefined) =>
  (target: Target): Target => ({
    ...target,
    clients: target.clients.map((client) => (scopes === undefined ? client : { ...client, scopes })),
  });

test.each([
  ['says nothing of it', undefined, 'inconclusive'],
  ['has it', ['openid', 'name', 'postal_code'], 'fail'],
  ['has it not', ['openid', 'name'], 'not-applicable'],
])('the refusal of a scope where the registration of the target file %s', async (_, scopes, verdict) => {
  const { cases } = await runYamlCases(asked, {
    conduct: withoutPostalCode,
    change: registeredFor(scopes),
    confirm: false,
  });
  expect(cases['asked']).toMatchObject({ verdict });
  if (verdict !== 'fail') expect(cases['asked']?.reason).toContain('registered for');
});

const silent = `
  - { id: silent, title: What comes of a silent authorization, rule: REQ-001, steps: [
      { control: true, authorize: { claims: { prompt: none } }, expect: accepted }] }
`;

test.each([
  ['interaction_required', true],
  ['invalid_request', false],
])(
  'a control with prompt none that is refused with %s names what a target file declares (C7.19)',
  async (error, isNamed) => {
    const conduct = ({ prompt }: JsonObject, index: number): Conduct =>
      prompt === 'none'
        ? { status: 400, body: { error } }
        : { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };
    const { cases } = await runYamlCases(silent, { conduct, confirm: false });
    expect(cases['silent']).toMatchObject({ verdict: 'inconclusive' });
    expect(cases['silent']?.reason?.includes('silent-authorization')).toBe(isNamed);
  },
);
