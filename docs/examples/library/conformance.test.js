import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CarrierspecError, certify, loadSuites } from 'carrierspec';
import { expectConformant } from 'carrierspec/expect';
import { judge } from 'carrierspec/judge';
import { createReferenceCarrier } from 'carrierspec/reference-carrier';
import { logTo } from './reporter.js';

test('a carrier with a driver of our own is conformant', async () => {
  const carrier = await createReferenceCarrier();
  const log = join(mkdtempSync(join(tmpdir(), 'example-')), 'runs.log');
  try {
    const target = { file: 'carrier.yaml', env: carrier.target.env };
    const result = await expectConformant(target, {
      what: ['approval-brings-tokens'],
      reporters: [logTo(log), './reporter.js'],
    });
    assert.equal(result.cases[0]?.verdict, 'pass');
    assert.match(readFileSync(log, 'utf8'), /Reference carrier: 1 cases, conformant\n$/);
  } finally {
    await carrier.close();
  }
});

test('a fault is found, and the message says which rule it breaks', async () => {
  await assert.rejects(
    () => expectConformant({ faults: ['callback-without-bearer'] }, { what: ['callback-bearer'] }),
    (error) => error instanceof assert.AssertionError && /\bCB-\d{3}\b/.test(error.message),
  );
});

test('a result is data', async () => {
  const result = await certify({ faults: [] }, { what: ['HDR-001'] });
  assert.equal(result.footer?.outcome, 'conformant');
  assert.ok(result.rules.some(({ id, verdict }) => id === 'HDR-001' && verdict === 'pass'));
});

test('a message is judged by itself', async () => {
  const { type, broken } = await judge('{"auth_req_id":"x","error":"invalid_grant"}');
  assert.equal(type, 'callback');
  assert.deepEqual(
    broken.map(({ rule, level }) => [rule, level]),
    [['CB-023', 'required']],
  );
});

test('what ships can be looked at', async () => {
  const { rules, cases } = await loadSuites();
  assert.ok(rules.length > 300 && cases.length > 1000);
});

test('a mistake of ours is an error with a code', async () => {
  const mistake = certify('nowhere.yaml');
  await assert.rejects(mistake, (error) => error instanceof CarrierspecError && error.code === 'target-broken');
});
