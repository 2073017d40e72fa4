import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { createCarrier } from '../carrier/create-carrier.ts';
import type { Policy } from '../carrier/policy.ts';
import { run } from '../engine/run.ts';
import { type Json, parseJson } from '../lib/json.ts';
import type { Attestation, Target } from '../model/target.ts';
import { buildRunOptions } from '../testing/parts/run-options.ts';
import { makeFolder } from '../testing/program/target-file.ts';
import { readSuites, readTarget } from './read-files.ts';
import { findFreePort, referenceEnv, referenceRegistrations, referenceTarget } from './reference.ts';

/** Registrations of the reference carrier with one more notification URI for the client `main`. */
function registrationsWith(uri: string, receiver: string): Json | undefined {
  const first = `${receiver}/si/notify`;
  const text = JSON.stringify(referenceRegistrations(receiver));
  return parseJson(text.replace(JSON.stringify(first), `${JSON.stringify(first)},${JSON.stringify(uri)}`));
}

interface Setting {
  readonly variants?: Partial<Policy>;
  readonly declared: boolean;
  readonly attestations?: readonly Attestation[];
}

/** Runs the shipped case of SEC-24 against the reference carrier over its sockets. */
async function runCase({ variants = {}, declared, attestations = [] }: Setting) {
  const [receiver, wrong] = [await findFreePort(), await findFreePort()];
  const uri = `https://127.0.0.1:${wrong}/notify`;
  const registrations = registrationsWith(uri, `http://127.0.0.1:${receiver}`);
  const carrier = await createCarrier({ registrations, clock: 'virtual', startAt: Date.now(), variants });
  try {
    const env = { ...process.env, ...referenceEnv(carrier, registrations, String(receiver)) };
    const plain = readTarget(referenceTarget, env);
    const wrongCertificate = { host: '127.0.0.1', port: wrong, uri };
    const target: Target = declared
      ? { ...plain, receiver: { ...plain.receiver, wrongCertificate } }
      : { ...plain, attestations };
    const suites = await readSuites([]);
    const cases = suites.cases.filter(({ id }) => id === 'certificate-of-another-host');
    const selected = { cases, invariants: [], rules: new Set(['SEC-24']) };
    const journal = join(makeFolder(), 'journal.jsonl');
    const { result, close } = await run(buildRunOptions({ suites, selected, target, journal }));
    const [found] = [...result.cases];
    close();
    return { found, rule: result.rules.find(({ id }) => id === 'SEC-24') };
  } finally {
    await carrier.close();
  }
}

test('a carrier that verifies the certificate delivers nothing, and the rule is judged', async () => {
  const { found, rule } = await runCase({ declared: true });
  expect(found).toMatchObject({ verdict: 'pass', findings: [] });
  expect(rule).toMatchObject({ verdict: 'pass', judgedBy: ['certificate-of-another-host'] });
});

test('a carrier that takes any certificate delivers the tokens, and fails', async () => {
  const { found, rule } = await runCase({ declared: true, variants: { receiverCertificateChecked: false } });
  expect(found?.findings).toMatchObject([{ rule: 'SEC-24', code: 'outcome', expected: 'silence' }]);
  expect(rule?.verdict).toBe('fail');
});

test('where the target file names no such receiver the case is not run, and the rule may be attested', async () => {
  const without = await runCase({ declared: false });
  expect(without.found).toMatchObject({
    verdict: 'not-run',
    reason: 'needs a receiver with a wrong certificate: name one under receiver.wrong_certificate',
  });
  expect(without.rule?.verdict).toBe('not-run');
  const attestation = {
    rule: 'SEC-24',
    by: 'the operator',
    on: '2026-01-31',
    description: 'seen in a capture',
    evidence: 'capture 7',
    place: { position: { file: 'carrier.yaml', line: 1, column: 1 } },
  };
  const { rule } = await runCase({ declared: false, attestations: [attestation] });
  expect(rule?.verdict).toBe('attested');
});
