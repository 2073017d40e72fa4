import { describe, expect, test } from 'vitest';
import type { RunCheck, RunMessage } from '../judge/check.ts';
import { buildCase, buildDelivery, buildExchange, buildFinding } from '../testing/results/result.ts';
import { runCheck } from '../testing/parts/named-checks.ts';
import { buildResponse, buildTokens } from '../testing/parts/observations.ts';
import { toContribution, rebuildEvidence } from './contribution.ts';

const mark = (what: string, digit: string): string => `[${what} sha256:${digit.repeat(12)}, 22 characters]`;
const request = buildExchange({ id: 'a#x1' });

/** A recorded case: one request, and callbacks whose secrets were redacted. */
function recorded(...tokens: readonly string[]) {
  const callbacks = tokens.map((token, at) => {
    const body = JSON.stringify({ auth_req_id: 'ccid-1', access_token: token, id_token: mark('id_token', 'a') });
    return buildDelivery({ id: `a#d${at + 1}`, request: { headers: [['Retry-After', '3']], body, bytes: 9 } });
  });
  const result = buildCase({ id: 'a', messages: [request, ...callbacks] });
  const sent = buildResponse({ message: 'a#x1', client: 'main', body: { auth_req_id: 'ccid-1' } });
  const messages = callbacks.map(
    ({ id }): RunMessage => ({ seenIn: 'a', callback: buildTokens({ message: id, sent, idToken: { sub: '1' } }) }),
  );
  return { result, evidence: { tallies: [], messages: [{ seenIn: 'a', response: sent }, ...messages] } };
}

function judgedBy(check: RunCheck, messages: readonly RunMessage[]) {
  const state = check.begin();
  for (const message of messages) state.observe(message);
  return state.conclude();
}

describe('what a case contributes', () => {
  test('is small, and has no text of a message', () => {
    const { evidence } = recorded(mark('access_token', '1'));
    expect(toContribution(evidence)).toEqual({
      judged: {},
      violations: {},
      messages: [
        { id: 'a#x1', kind: 'response', outcome: 'accepted', usual: true, client: 'main' },
        { id: 'a#d1', kind: 'callback', sent: 'a#x1', client: 'main', tokens: true },
      ],
    });
  });

  test('names of invariants those with violations apart', () => {
    const findings = [buildFinding()];
    const tallies = [
      { invariant: 'kept', judged: 3, violations: 0, findings: [] },
      { invariant: 'broken', judged: 2, violations: 1, findings },
    ];
    const contribution = toContribution({ tallies, messages: [] });
    expect(contribution).toEqual({
      judged: { kept: 3, broken: 2 },
      violations: { broken: { count: 1, findings } },
      messages: [],
    });
    expect(rebuildEvidence(buildCase(), contribution).tallies).toEqual(tallies);
  });

  test('gives, with the record, what the messages showed', () => {
    const { result, evidence } = recorded(mark('access_token', '1'));
    const [response, callback] = rebuildEvidence(result, toContribution(evidence)).messages;
    expect(response).toMatchObject({
      seenIn: 'a',
      response: { message: 'a#x1', status: 200, outcome: 'accepted', usual: true, client: 'main' },
    });
    expect(callback).toMatchObject({
      seenIn: 'a',
      callback: { tokens: true, error: false, headers: { 'retry-after': '3' }, sent: { client: 'main' } },
    });
  });

  test('still tells two secrets apart, and one from itself', () => {
    const judged = (...tokens: readonly string[]) => {
      const { result, evidence } = recorded(...tokens);
      return judgedBy(runCheck('one-outcome-per-request'), rebuildEvidence(result, toContribution(evidence)).messages);
    };
    const [one, other] = [mark('access_token', '1'), mark('access_token', '2')];
    expect(judged(one, one)).toMatchObject({ judged: 2, mismatches: [] });
    expect(judged(one, other).mismatches).toHaveLength(1);
  });

  test('shows no token whose signature could be judged', () => {
    const { result, evidence } = recorded(mark('access_token', '1'));
    const keys: RunMessage = { seenIn: 'a', response: buildResponse({ body: { keys: [{ kty: 'RSA', kid: '1' }] } }) };
    const { messages } = rebuildEvidence(result, toContribution(evidence));
    expect(judgedBy(runCheck('id-tokens-signed-by-published-key'), [keys, ...messages])).toEqual({
      judged: 0,
      mismatches: [],
      unjudged: 0,
    });
  });

  test('leaves out a message that the record does not have', () => {
    const { result, evidence } = recorded(mark('access_token', '1'));
    expect(rebuildEvidence({ ...result, messages: [] }, toContribution(evidence)).messages).toEqual([]);
  });
});
