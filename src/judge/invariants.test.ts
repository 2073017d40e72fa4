import { describe, expect, test } from 'vitest';
import { type MessageKind, UnjudgedValue } from '../model/suite.ts';
import { buildResponse, buildDenial, buildRefusal, buildSilence, buildTokens } from '../testing/parts/observations.ts';
import { buildExpectation, buildRuleText, buildStanding } from '../testing/parts/suite.ts';
import { buildScope, buildTemplates } from '../testing/parts/templates.ts';
import { checksByName, defineCheck, defineRunCheck } from './check.ts';
import { createInvariantJudge, type ObservationContext } from './invariants.ts';
import type { ResponseObservation, CallbackObservation } from './observation.ts';
import { createRuleBook } from './rule-book.ts';
import type { Invariant } from '../suite/suites.ts';

const rules = createRuleBook([
  buildRuleText('REQ-015'),
  buildRuleText('REQ-016', 'informational'),
  buildRuleText('ERR-001', 'required', { aspects: [{ id: 'soft', level: 'recommended', description: 'Softer.' }] }),
]);

/** Checks for these tests: two report what the message holds, one judges over the run. */
const checks = checksByName([
  defineCheck('as-the-body-says', (observation) => {
    const body = 'body' in observation ? observation.body : undefined;
    if (body === 'hard') return [{ expected: 'nothing hard', actual: 'hard' }];
    return body === 'soft' ? [{ aspect: 'soft', expected: 'nothing soft', actual: 'soft' }] : [];
  }),
  defineCheck('as-the-header-says', (observation) => {
    const { location = '', absent = '' }: Readonly<Record<string, string>> =
      'headers' in observation ? (observation.headers ?? {}) : {};
    return [{ expected: 'no error', actual: `${location}${absent}` }];
  }),
  defineRunCheck('every-second', () => {
    const observation: string[] = [];
    return {
      observe: (message) =>
        void observation.push(`${message.seenIn} ${'response' in message ? 'response' : 'callback'}`),
      conclude: () => ({
        mismatches: observation.flatMap((text, index) =>
          index % 2 === 1 ? [{ expected: 'the first', actual: text, message: `m${index}`, seenIn: 'a-case' }] : [],
        ),
        judged: observation.length,
      }),
    };
  }),
]);

const observedIn = (parts: Partial<ObservationContext> = {}): ObservationContext => ({
  caseId: 'a-case',
  order: 0,
  scope: buildScope(),
  redact: (finding) => finding,
  ...parts,
});

type Message = ResponseObservation | CallbackObservation;

/** Result of an invariant after these messages. */
async function judge(
  invariant: Invariant,
  messages: readonly (Message | readonly [Message, Partial<ObservationContext>])[],
) {
  const { onResponse, onCallback, conclude } = createInvariantJudge({ invariants: [invariant], checks, rules });
  for (const given of messages) {
    const [message, parts] = 'kind' in given ? [given, {}] : given;
    if (message.kind === 'response') onResponse(message, observedIn(parts));
    else onCallback(message, observedIn(parts));
  }
  const [result] = await conclude();
  if (result === undefined) throw new Error('no result');
  return result;
}

const never = (on: MessageKind, parts: Partial<Invariant> = {}) =>
  buildStanding('never', { on, expectations: [buildExpectation({ absent: ['message'] })], ...parts });

describe('which messages an invariant is judged on', () => {
  const messages: Readonly<Record<string, Message>> = {
    accepted: buildResponse(),
    refused: buildRefusal('x'),
    broken: buildResponse({ status: 500, outcome: 'broken' }),
    redirected: buildResponse({ status: 302, outcome: 'redirected' }),
    timeout: buildSilence('timeout'),
    tokens: buildTokens(),
    denial: buildDenial(),
    both: buildTokens({ error: true }),
    neither: buildTokens({ tokens: false }),
    stray: { ...buildDenial(), stray: true },
    strayTokens: buildTokens({ stray: true }),
  };

  test.each<[MessageKind, string[]]>([
    ['response', ['accepted', 'refused', 'broken', 'redirected']],
    ['accepted', ['accepted']],
    ['refused', ['refused', 'broken', 'redirected']],
    ['delivery', ['tokens', 'denial', 'both', 'neither', 'stray', 'strayTokens']],
    ['callback', ['tokens', 'denial', 'both', 'neither', 'strayTokens']],
    ['tokens', ['tokens', 'both', 'strayTokens']],
    ['callback-error', ['denial', 'both']],
  ])('%s', async (on, names) => {
    const judged = await Promise.all(
      Object.entries(messages).map(async ([name, message]) =>
        (await judge(never(on), [message])).judged === 1 ? name : [],
      ),
    );
    expect(judged.flat()).toEqual(names);
  });
});

describe('a message that cannot be judged', () => {
  const throwing = buildExpectation({
    body: {
      schema: true,
      mismatches: (value) => {
        if (value === 'slow') throw new UnjudgedValue('a pattern is slow');
        return value === 'bad' ? [{ path: '', message: 'good', actual: 'bad' }] : [];
      },
    },
  });
  const invariant = buildStanding('slow', { expectations: [throwing] });
  const [slow, good, bad] = ['slow', 'good', 'bad'].map((body) => buildResponse({ body }));
  if (slow === undefined || good === undefined || bad === undefined) throw new Error('three responses');
  const { file, line, column } = throwing.position;
  const why = `${file}:${line}:${column}: the schema of body cannot judge: a pattern is slow`;

  test('leaves the invariant without a verdict, with the true reason', async () => {
    expect(await judge(invariant, [good, slow, slow])).toMatchObject({
      verdict: 'inconclusive',
      judged: 1,
      unjudged: 2,
      reason: `2 of 3 messages could not be judged: ${why}`,
    });
  });

  test('excuses no violation in another one', async () => {
    expect(await judge(invariant, [slow, bad])).toMatchObject({ verdict: 'fail', judged: 1, unjudged: 1 });
  });

  test('is not forgotten by a run that is resumed', async () => {
    const options = { invariants: [invariant], checks, rules, keepEvidence: true };
    const before = createInvariantJudge(options);
    for (const message of [slow, good]) before.onResponse(message, observedIn());
    const after = createInvariantJudge(options);
    after.restore([{ ...before.takeEvidence('a-case'), order: 0 }]);
    expect(await after.conclude()).toEqual(await before.conclude());
    expect((await after.conclude())[0]).toMatchObject({ verdict: 'inconclusive', unjudged: 1 });
  });

  test('is each that comes while messages are blocked', async () => {
    let blocked: string | undefined;
    const overRun = buildStanding('over-run', {
      on: 'run',
      expectations: [buildExpectation({ checks: ['every-second'] })],
    });
    const { onResponse, conclude } = createInvariantJudge({
      invariants: [invariant, overRun],
      checks,
      rules,
      blocked: () => blocked,
    });
    onResponse(good, observedIn());
    blocked = 'the time is not known';
    onResponse(bad, observedIn());
    const reason = '1 of 2 messages could not be judged: the time is not known';
    const found = { verdict: 'inconclusive', judged: 1, unjudged: 1, violations: 0, reason };
    expect(await conclude()).toMatchObject([found, found]);
  });
});

describe('the verdict', () => {
  const body = buildStanding('body', { expectations: [buildExpectation({ checks: ['as-the-body-says'] }, 'ERR-001')] });
  const description = (text: string): ResponseObservation => buildResponse({ body: text });

  test('no message: not run, with the reason', async () => {
    expect(await judge(body, [])).toEqual({
      id: 'body',
      title: 'What body watches',
      suite: 'What holds for every answer',
      area: 'server-initiated',
      position: { file: 'server-initiated/invariants.suite.yaml', line: 2, column: 5 },
      on: 'response',
      rules: [{ rule: 'ERR-001' }],
      verdict: 'not-run',
      reason: 'no message of this kind was seen',
      judged: 0,
      violations: 0,
      findings: [],
    });
  });

  test('a finding names the place', async () => {
    const { findings } = await judge(body, [
      [buildResponse({ body: 'soft', message: 'b-case#x2' }), { caseId: 'b-case' }],
    ]);
    expect(findings).toEqual([
      {
        rule: 'ERR-001',
        aspect: 'soft',
        level: 'recommended',
        code: 'check',
        expected: 'nothing soft',
        actual: 'soft',
        message: 'b-case#x2',
        seenIn: 'b-case',
        position: body.position,
      },
    ]);
  });

  test('a finding in a delivery for a case that is over names the case alone: it has no such message', async () => {
    const { findings } = await judge(
      buildStanding('one', { on: 'delivery', expectations: [buildExpectation({ checks: ['as-the-body-says'] })] }),
      [buildTokens({ body: 'hard', message: '' })],
    );
    expect(findings[0]).toMatchObject({ seenIn: 'a-case' });
    expect(findings[0]).not.toHaveProperty('message');
  });

  test('a finding names the header fields that were read, and no other', async () => {
    const read = buildExpectation({ checks: ['as-the-header-says'] });
    const invariant = { ...body, expectations: [{ ...read, rules: [{ rule: 'REQ-015' }] }] };
    const headers = { location: 'https://sp.test/cb?error=x', 'retry-after': '5', date: 'today' };
    const { findings } = await judge(invariant, [buildResponse({ headers })]);
    expect(findings.map((finding) => finding.headers)).toEqual([['location']]);
  });

  test('a hard violation after any number of soft ones still counts', async () => {
    const messages = [...Array.from({ length: 50 }, () => description('soft')), description('hard')];
    expect(await judge(body, messages)).toMatchObject({ verdict: 'fail', judged: 51, violations: 51 });
  });

  test('the first ten of each rule and aspect are kept, by the order of the cases; the rest are counted', async () => {
    const messages = Array.from({ length: 25 }, (_, index): readonly [Message, Partial<ObservationContext>] => [
      buildResponse({ body: index % 2 === 0 ? 'hard' : 'soft', message: `x${index}` }),
      { order: 25 - index },
    ]);
    const { findings, violations } = await judge(body, messages);
    expect(violations).toBe(25);
    const of = (aspect: string | undefined) =>
      findings.filter((finding) => finding.aspect === aspect).map(({ message }) => message);
    expect(of(undefined)).toEqual(['x24', 'x22', 'x20', 'x18', 'x16', 'x14', 'x12', 'x10', 'x8', 'x6']);
    expect(of('soft')).toEqual(['x23', 'x21', 'x19', 'x17', 'x15', 'x13', 'x11', 'x9', 'x7', 'x5']);
  });
});

describe('a value that is not there', () => {
  const equals = buildTemplates({ 'body.state': '{{ sent.claims.state }}' }, ['sent']);
  const withState = buildScope({ sent: { claims: { state: 's' } } });
  const good = buildResponse({ body: { state: 's' } });

  test('such a message cannot be judged', async () => {
    const invariant = buildStanding('echo', { expectations: [buildExpectation({ equals })] });
    expect(await judge(invariant, [[good, {}]])).toMatchObject({ verdict: 'not-run', judged: 0 });
    const messages = [
      [good, {}],
      [good, { scope: withState }],
      [buildResponse({ body: {} }), { scope: withState }],
    ] as const;
    expect(await judge(invariant, messages)).toMatchObject({ verdict: 'fail', judged: 2, violations: 1 });
  });

  test('what another expectation of the invariant found stays', async () => {
    const expectations = [buildExpectation({ status: [200] }), buildExpectation({ equals }, 'REQ-016')];
    const broken = buildResponse({ status: 500, outcome: 'broken', summary: 'broken 500' });
    expect(await judge(buildStanding('both', { expectations }), [broken])).toMatchObject({
      verdict: 'fail',
      judged: 1,
      violations: 1,
    });
  });

  test('any other error is ours and rises', async () => {
    const scope = {
      ...buildScope(),
      root: () => {
        throw new RangeError('ours');
      },
    };
    const invariant = buildStanding('echo', { expectations: [buildExpectation({ equals })] });
    await expect(judge(invariant, [[good, { scope }]])).rejects.toThrow(new RangeError('ours'));
  });
});

describe('over the whole run', () => {
  const invariant = buildStanding('run', {
    on: 'run',
    expectations: [buildExpectation({ checks: ['every-second'] }, 'REQ-016')],
  });

  test('answers and callbacks in the order they came, judged at the end', async () => {
    const result = await judge(invariant, [
      [buildResponse(), { caseId: 'one' }],
      [buildDenial(), { caseId: 'two' }],
      buildSilence('reset'),
    ]);
    expect(result).toMatchObject({ verdict: 'informational', judged: 3, violations: 1 });
    expect(result.findings).toEqual([
      {
        rule: 'REQ-016',
        level: 'informational',
        code: 'check',
        expected: 'the first',
        actual: 'two callback',
        message: 'm1',
        seenIn: 'a-case',
        position: invariant.position,
      },
    ]);
  });

  test('what is no result is not among the callbacks', async () => {
    expect(await judge(invariant, [{ ...buildDenial(), stray: true }, buildTokens({ stray: true })])).toMatchObject({
      judged: 1,
    });
  });

  test('each run begins anew', async () => {
    await judge(invariant, [buildResponse(), buildResponse()]);
    expect(await judge(invariant, [buildResponse()])).toMatchObject({ verdict: 'pass', judged: 1 });
  });
});
