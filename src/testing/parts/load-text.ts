import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scope } from '../../model/suite.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { type SuitesWithProblems, loadSuiteFolders } from '../../suite/load.ts';
import type { VerbTable } from '../../suite/verbs/verb.ts';
import type { Case } from '../../suite/suites.ts';

/** Two rules for test cases. */
export const testRules = `area: area
title: An area
rules:
  - id: REQ-001
    clause: "2.3"
    level: required
    description: It holds.
    aspects: { near: { level: recommended, description: It nearly holds. } }
    judged: cases
  - { id: REQ-002, clause: "2.3", level: informational, description: It is seen., interpretation: A1., judged: invariant }
`;

/** The invariant that the second rule needs, and the head of a case file. */
export const standingInvariant = `
invariants:
  - { id: standing, title: It stands, rule: REQ-002, on: response, expect: { status: [2xx, 400] }, seenIn: [one] }
`;
export const suiteHead = 'suite: A suite\ncases:\n';

export const oneCase = (rest: string): string => `  - { id: one, title: One, rule: REQ-001, ${rest} }`;
export const acceptedStep = 'steps: [{ authorize: {}, expect: accepted }]';

/** Loads a suites folder with these files beside the shipped schemas and base request. */
export async function loadText(
  files: Readonly<Record<string, string>>,
  verbs: VerbTable = serverInitiated.verbs,
): Promise<SuitesWithProblems> {
  const dir = mkdtempSync(join(tmpdir(), 'carrierspec-load-'));
  try {
    cpSync('suites/schema', join(dir, 'schema'), { recursive: true });
    cpSync('suites/base-request.yaml', join(dir, 'base-request.yaml'));
    cpSync('suites/steps.yaml', join(dir, 'steps.yaml'));
    for (const [name, text] of Object.entries({ 'area/rules.yaml': testRules, ...files })) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text);
    }
    const language = { ...serverInitiated, checks: { known: true }, verbs };
    return await loadSuiteFolders({ dirs: [dir], interface: language, tampers: new Set(['payload-byte']) });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Cases of a text that has no problems. */
export async function loadCases(yaml: string): Promise<readonly Case[]> {
  const { suites, problems } = await loadText({ 'area/a.suite.yaml': suiteHead + yaml + standingInvariant });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  return suites.cases;
}

export async function loadOne(yaml: string): Promise<Case> {
  const [found] = await loadCases(yaml);
  if (found === undefined) throw new Error('no case');
  return found;
}

/** Scope for evaluating templates, with a client, a subscriber, a target and a step, 1000 s after the epoch. */
export const testScope: Scope = { now: () => 1000, random: (bytes) => 'ab'.repeat(bytes), root: (name) => roots[name] };

const roots: Readonly<Record<string, unknown>> = {
  client: {
    client_id: 'ccid-1',
    redirect_uri: 'https://sp.test/cb',
    notification_uri: 'https://sp.test/si/notify',
    key: { kid: 'k1', alg: 'RS256' },
  },
  subscriber: { sub: '001010-1' },
  target: { issuer: 'https://op.test' },
  first: { sentAt: 50, granted: 300, claims: { jti: 'abc' } },
};
