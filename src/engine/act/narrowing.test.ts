import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const rules = `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, description: It holds., judged: cases }
  - { id: REQ-012, clause: "2.3", level: recommended, description: It lives., judged: cases, accepts: [{ set: claims.exp }] }
  - { id: REQ-039, clause: "2.3", level: required, description: It has a state., judged: cases, accepts: [{ set: claims.state }] }
  - { id: REQ-041, clause: "2.3", level: required, description: It has no prompt., judged: cases, accepts: [{ without: claims.prompt }] }
`;
const one = (id: string, of: string): string =>
  `  - { id: ${id}, title: A case, rule: ${of}, steps: [{ as: request, authorize: {}, expect: accepted }] }\n`;
const yaml = one('one', '[REQ-001, REQ-012, REQ-039, REQ-041]') + one('two', 'REQ-001') + one('three', 'REQ-001');

/** Runs three cases on a carrier that accepts only some requests, and stops where it refuses the plain one. */
async function judge(takes: (claims: JsonObject) => boolean, cases = yaml) {
  const { result } = await runYamlCases(cases, {
    rules,
    confirm: true,
    keepGoing: false,
    conduct: (claims, index) =>
      takes(claims)
        ? { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } }
        : { status: 400, body: { error: 'invalid_request' } },
  });
  const standings = Object.fromEntries(result.rules.map(({ id, standing }) => [id, standing]));
  return { standings, exitCode: result.footer?.exitCode, tried: result.footer?.root?.tried };
}

describe('a carrier that refuses the plain request (P12)', () => {
  test.each<[string, string, string, (claims: JsonObject) => boolean]>([
    ['an optional member', 'with prompt login', 'REQ-041', ({ prompt }) => prompt === 'login'],
    ['that an optional member is left out', 'without state', 'REQ-039', ({ state }) => state === undefined],
  ])('breaks the rule where it demands %s', async (_, words, rule, takes) => {
    const { standings, exitCode, tried } = await judge(takes);
    expect(standings).toEqual({
      'REQ-001': 'open',
      'REQ-012': 'open',
      'REQ-039': 'open',
      'REQ-041': 'open',
      [rule]: 'broken',
    });
    expect(tried).toEqual([`it is accepted ${words}, so the carrier demands what is optional (${rule})`]);
    expect(exitCode).toBe(1);
  });

  test('only warns where what it demands is recommended', async () => {
    const { standings, exitCode, tried } = await judge(({ iat, exp }) => Number(exp) - Number(iat) <= 60);
    expect(standings).toMatchObject({ 'REQ-001': 'open', 'REQ-012': 'not followed' });
    expect(tried).toEqual([
      'it is accepted with an exp that is 3 minutes earlier, so the carrier demands what is optional (REQ-012)',
    ]);
    expect(exitCode).toBe(4);
  });

  test('demands nothing where it accepts the plain request again', async () => {
    let seen = 0;
    const takes = (): boolean => {
      seen += 1;
      return seen > 3;
    };
    const { standings, tried } = await judge(takes, one('one', '[REQ-001, REQ-012, REQ-039, REQ-041]'));
    expect(Object.values(standings)).not.toContain('broken');
    expect(tried).toBeUndefined();
  });

  test('ends as interrupted where that comes while other forms are tried', async () => {
    const stop = new AbortController();
    const conduct = (_: JsonObject, index: number) => {
      if (index === 2) stop.abort();
      return { status: 400, body: { error: 'invalid_request' } };
    };
    const { result } = await runYamlCases(yaml, { rules, keepGoing: false, signal: stop.signal, conduct });
    expect(result.footer).toMatchObject({ interrupted: true, exitCode: 130 });
    expect(result.footer?.root).not.toHaveProperty('tried');
  });

  test('breaks none where a registration decides what it takes', async () => {
    const { standings, exitCode, tried } = await judge(({ scope }) => scope === 'openid');
    expect(Object.values(standings)).toEqual(['open', 'open', 'open', 'open']);
    expect(tried).toEqual(['it is accepted with the scope openid alone']);
    expect(exitCode).toBe(4);
  });

  test.each([
    ['several cases', yaml],
    ['one case', one('one', '[REQ-001, REQ-012, REQ-039, REQ-041]')],
  ])('is told that each other form is refused as well, by a run of %s', async (_, cases) => {
    const { standings, exitCode, tried } = await judge(() => false, cases);
    expect(Object.values(standings)).toEqual(['open', 'open', 'open', 'open']);
    expect(tried).toEqual([
      expect.stringMatching(/^it is refused in \d\d other forms as well, each with one member less or another value$/),
    ]);
    expect(exitCode).toBe(4);
  });
});
